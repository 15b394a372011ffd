// After the game: what one's position was worth at each decision, the largest mistakes, and what the hint would have been.
import { useEffect, useRef, useState } from "preact/hooks";
import { advisor, bearer, explain, tokens } from "./api";
import type { Analysis } from "./gen/seatmate/v1/analysis_pb";
import type { Event } from "./gen/seatmate/v1/event_pb";
import { words } from "./words";

const TIME_MS = 120;        // of thinking per decision
const AGAIN_MS = 1000;      // where that leaves open whether it was a mistake
const MOST = 120;           // decisions looked at, evenly over the game
const SHOWN = 5;            // mistakes, and decisions that are looked at again
const LEAST = 0.02;         // of a mistake

/** One decision: when it was taken, and the answer that was given. */
interface Decision { at: bigint; action: number; number: number }

/** gap: by how much the answer seems worse than the best · loss: the same, 0 where luck may explain it. */
export interface Judged extends Decision { analysis: Analysis; gap: number; loss: number }

/** The decisions of the seat that these events belong to. */
export function decisions(events: readonly Event[]): Decision[] {
  const found = events.flatMap((event) => {
    const action = event.key === "CHOICE" ? event.args.find((one) => one.name === "action") : undefined;
    return action && event.sequence > 1n ? [{ at: event.sequence - 1n, action: Number(action.value) }] : [];
  }).map((one, number) => ({ ...one, number: number + 1 }));
  const every = Math.max(1, found.length / MOST);
  return found.filter((_, number) => Math.floor(number / every) !== Math.floor((number - 1) / every));
}

function judge(decision: Decision, analysis: Analysis): Judged | undefined {
  const [best, mine] = [analysis.candidates[0], analysis.candidates.find((one) => one.action?.id === decision.action)];
  if (analysis.candidates.length < 2 || best?.value === undefined) return undefined;
  const worst = Math.min(...analysis.candidates.map((one) => one.value ?? 1));
  const gap = mine?.tied || mine === best ? 0 : best.value - (mine?.value ?? worst);
  const chance = 2 * Math.hypot(best.standardError, mine?.standardError ?? 0);       // a difference that luck may explain is no mistake
  return { ...decision, analysis, gap, loss: gap > chance ? gap : 0 };
}

interface Props { seat: string; events: readonly Event[]; go(at: bigint, analysis?: Analysis): void; named(text: string): string }

export function Course({ seat, events, go, named }: Props) {
  const [judged, setJudged] = useState<readonly Judged[]>([]);
  const [done, setDone] = useState<number>();
  const [failed, setFailed] = useState("");
  const running = useRef<AbortController | undefined>(undefined);
  const all = decisions(events);
  const stop = () => { running.current?.abort(); running.current = undefined; };
  useEffect(() => stop, [seat]);

  const start = async () => {
    const control = (running.current = new AbortController());
    setJudged([]); setFailed("");
    const found = new Map<bigint, Judged>();
    const look = async (decision: Decision, timeMs: number) => {
      const { analysis } = await advisor.suggestActions({ subject: { case: "seat", value: seat }, atSequence: decision.at, budget: { timeMs } }, { ...bearer(tokens.for(seat)), signal: control.signal });
      const one = analysis && judge(decision, analysis);
      if (one) setJudged([...found.set(decision.at, one).values()]);
    };
    try {
      for (const [number, decision] of all.entries()) { setDone(number); await look(decision, TIME_MS); }
      const open = [...found.values()].filter((one) => one.loss === 0 && one.gap > LEAST).sort((a, b) => b.gap - a.gap).slice(0, SHOWN);
      for (const decision of open) await look(decision, AGAIN_MS);
    } catch (error) {
      if (!control.signal.aborted) setFailed(explain(error));
    }
    setDone(undefined);
  };

  if (!all.length) return null;
  const worst = [...judged].filter((one) => one.loss > LEAST).sort((a, b) => b.loss - a.loss).slice(0, SHOWN);
  return (
    <section class="course" aria-label={words.course}>
      <h2>{words.course}</h2>
      {done === undefined
        ? judged.length === 0 && <button type="button" id="course" onClick={() => void start()}>{words.judge(all.length)}</button>
        : <p><progress max={all.length} value={done} aria-label={words.course} /> <button type="button" onClick={() => { stop(); setDone(undefined); }}>{words.stop}</button></p>}
      {failed && <p role="alert" class="failed">{failed}</p>}
      {judged.length > 1 && <Graph judged={judged} worst={worst} go={go} />}
      {judged.length > 0 && done === undefined && worst.length === 0 && <p>{words.noMistake}</p>}
      {worst.length > 0 && (
        <ol class="mistakes">{worst.map((one) => {
          const [best, mine] = [one.analysis.candidates[0]!, one.analysis.candidates.find((two) => two.action?.id === one.action)];
          return <li key={String(one.at)}>
            <button type="button" data-at={String(one.at)} onClick={() => go(one.at, one.analysis)}>
              <small>{words.decision(one.number)}</small> <b lang="en">{named(mine?.action?.label ?? "?")}</b> <span>{mine?.valueText}</span>
              <small>{words.better} <span lang="en">{named(best.action!.label)}</span>, {best.valueText}</small>
            </button>
            {best.reasons[0] && <small class="reasons" lang="en">{named(best.reasons[0])}</small>}
          </li>;
        })}</ol>
      )}
    </section>
  );
}

const [WIDE, HIGH] = [280, 90];

function Graph({ judged, worst, go }: { judged: readonly Judged[]; worst: readonly Judged[]; go(at: bigint, analysis?: Analysis): void }) {
  const x = (number: number) => 4 + (number * (WIDE - 8)) / (judged.length - 1);
  const y = (value: number) => 4 + (1 - value) * (HIGH - 8);
  const points = judged.map((one, number) => `${x(number).toFixed(1)},${y(one.analysis.candidates[0]!.value ?? 0).toFixed(1)}`);
  return (
    <svg class="graph" viewBox={`0 0 ${WIDE} ${HIGH}`} role="img" aria-label={words.graph(judged[0]!.analysis.valueName)}>
      <line x1="4" x2={WIDE - 4} y1={y(0.5)} y2={y(0.5)} class="half" />
      <polyline points={points.join(" ")} />
      {judged.map((one, number) => (
        <circle key={String(one.at)} cx={x(number)} cy={y(one.analysis.candidates[0]!.value ?? 0)} r={worst.includes(one) ? 4 : 2} class={worst.includes(one) ? "mistake" : ""} onClick={() => go(one.at, one.analysis)} />
      ))}
    </svg>
  );
}
