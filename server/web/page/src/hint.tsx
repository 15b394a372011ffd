// Hints: the best answers found so far, with their reasons, and why not another one.
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { advisor, bearer, tokens } from "./api";
import type { Action } from "./gen/seatmate/v1/action_pb";
import type { Analysis, Candidate } from "./gen/seatmate/v1/analysis_pb";
import { words } from "./words";

const TIME_MS = 1500;
const INTERVAL_MS = 150;
const SHOWN = 3;

export interface Hint {
  analysis: Analysis | undefined;
  isThinking: boolean;
  isOpen: boolean;
  ask(): void;
  stop(): void;
  clear(): void;
  /** One that was found before. */
  show(analysis: Analysis): void;
}

/** Hints for a seat, now or at a moment of the past. */
export function useHint(seat: string | undefined, at: bigint | undefined, fail: (error: unknown) => void): Hint {
  const [analysis, setAnalysis] = useState<Analysis>();
  const [isThinking, setThinking] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const running = useRef<AbortController | undefined>(undefined);
  const stop = useCallback(() => { running.current?.abort(); running.current = undefined; setThinking(false); }, []);
  const clear = useCallback(() => { stop(); setAnalysis(undefined); setOpen(false); }, []);
  const show = useCallback((one: Analysis) => { stop(); setAnalysis(one); setOpen(true); }, []);
  useEffect(() => stop, []);
  const ask = useCallback(() => {
    if (!seat) return;
    stop();
    const control = (running.current = new AbortController());
    setThinking(true);
    setOpen(true);
    setAnalysis(undefined);
    void (async () => {
      try {
        for await (const step of advisor.analyze({ subject: { case: "seat", value: seat }, atSequence: at ?? 0n, budget: { timeMs: TIME_MS }, intervalMs: INTERVAL_MS }, { ...bearer(tokens.for(seat)), signal: control.signal })) {
          if (!control.signal.aborted) setAnalysis(step.analysis);
        }
      } catch (error) {
        if (!control.signal.aborted) { fail(error); setOpen(false); }
      }
      if (running.current === control) stop();
    })();
  }, [seat, at]);
  return { analysis, isThinking, isOpen, ask, stop, clear, show };
}

/** It lies above what has happened, so that nothing jumps when it comes. */
export function HintPanel({ hint: { analysis, isThinking, isOpen, clear }, act, named }: { hint: Hint; act: ((action: Action) => void) | undefined; named(text: string): string }) {
  const [asked, ask] = useState<number>();
  const candidates = analysis?.candidates ?? [];
  const others = candidates.slice(SHOWN);
  const why = others.find((one) => one.action?.id === asked);
  // What was asked for comes into sight, and is forgotten with the hint.
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => { if (why) box.current?.scrollTo({ top: box.current.querySelector<HTMLElement>(".why")!.offsetTop - box.current.offsetTop }); }, [asked]);
  useEffect(() => { if (!isOpen) ask(undefined); }, [isOpen]);
  // How high it must be for its best answer.
  useLayoutEffect(() => {
    const [panel, first] = [box.current!.parentElement!, box.current!.querySelector(".best-ones > li")];
    if (first) panel.style.setProperty("--first", `${Math.ceil(box.current!.offsetTop - panel.offsetTop + first.clientHeight + 6)}px`);
  }, [candidates[0]]);
  return (
    <section class={`hint ${isOpen ? "open" : ""}`} aria-label={words.hint} aria-busy={isThinking} aria-live="polite">
      <h2>{words.hint} <small>{`${analysis ? words.tried(analysis.iterations) : isOpen ? words.thinking : ""}${isThinking ? " …" : ""}`}</small>
        {isOpen && <button type="button" class="close" aria-label={words.close} onClick={clear}>×</button>}</h2>
      <div class="advice" role="group" tabIndex={isOpen ? 0 : -1} aria-label={words.hint} ref={box}>
        <ol class="best-ones">{candidates.slice(0, SHOWN).map((one, place) => <CandidateLine key={place} one={one} act={act} named={named} unit={analysis!.valueName} />)}</ol>
        <label class={`whynot ${others.length > 0 && !isThinking ? "" : "idle"}`}>{words.whyNot}
          <select value={asked ?? ""} onChange={(event) => ask(event.currentTarget.value === "" ? undefined : Number(event.currentTarget.value))}>
            <option value="">…</option>
            {others.map((one) => <option key={one.action!.id} value={one.action!.id}>{named(one.action!.label)}</option>)}
          </select>
        </label>
        {why && <ol class="why"><CandidateLine one={why} act={act} named={named} unit={analysis!.valueName} /></ol>}
      </div>
    </section>
  );
}

function CandidateLine({ one, act, named, unit }: { one: Candidate; act: ((action: Action) => void) | undefined; named(text: string): string; unit: string }) {
  const label = named(one.action!.label);
  return (
    <li class={one.tied ? "tied" : ""} lang="en">
      {act ? <button type="button" onClick={() => act(one.action!)}>{label}</button> : <b>{label}</b>}
      <span class="worth"><meter min={0} max={1} value={one.value ?? 0} aria-label={unit}>{one.valueText}</meter> {one.valueText} <small>{unit}{one.policy > 0.02 && one.policy < 0.98 && `, ${words.mixed(one.policy)}`}</small></span>
      {one.reasons.length > 0 && <ul class="reasons">{one.reasons.slice(0, 3).map((reason) => <li key={reason}>{named(reason)}</li>)}</ul>}
      {one.principalVariation.length > 1 && <details class="course-of-play"><summary lang={words.code}>{words.then}</summary><ol>{one.principalVariation.slice(1, 7).map((step, number) => <li key={number}>{named(step)}</li>)}</ol></details>}
    </li>
  );
}
