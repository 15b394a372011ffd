// After the game: what one's position was worth at each decision, the largest mistakes, and what the hint would have been.
import { useEffect, useRef, useState } from "preact/hooks";
import { advisor, bearer, explain, tokens } from "./api";
import { decided } from "./descend";
import type { Analysis, ReviewedDecision } from "./gen/seatmate/v1/analysis_pb";
import type { Event } from "./gen/seatmate/v1/event_pb";
import { words } from "./words";

const [LEAST_MS, TIME_MS] = [20, 120];      // of thinking per decision: the more there are, the less for each
const ALL_MS = 20_000;
const SHOWN = 5;            // mistakes

interface Props { seat: string; events: readonly Event[]; go(at: bigint, analysis?: Analysis): void; named(text: string): string }

export function Course({ seat, events, go, named }: Props) {
  const [judged, setJudged] = useState<readonly ReviewedDecision[]>([]);
  const [isRunning, setRunning] = useState(false);
  const [failed, setFailed] = useState("");
  const running = useRef<AbortController | undefined>(undefined);
  const all = decided(events).length;
  const stop = () => { running.current?.abort(); running.current = undefined; };
  useEffect(() => stop, [seat]);

  const start = async () => {
    const control = (running.current = new AbortController());
    setJudged([]); setFailed(""); setRunning(true);
    const budget = { timeMs: Math.round(Math.max(LEAST_MS, Math.min(TIME_MS, ALL_MS / all))) };
    try {
      for await (const { kind } of advisor.reviewGame({ subject: { case: "seat", value: seat }, budget }, { ...bearer(tokens.for(seat)), signal: control.signal }))
        if (kind.case === "decision") setJudged((known) => [...known, kind.value]);
    } catch (error) {
      if (!control.signal.aborted) setFailed(explain(error));
    }
    setRunning(false);
  };

  if (!all) return null;
  const worst = judged.filter((one) => one.mistake).sort((a, b) => b.loss - a.loss).slice(0, SHOWN);
  return (
    <section class="course" aria-label={words.course}>
      <h2>{words.course}</h2>
      {isRunning
        ? <p><progress max={all} value={judged.at(-1)?.number ?? 0} aria-label={words.course} /> <button type="button" onClick={() => { stop(); setRunning(false); }}>{words.stop}</button></p>
        : judged.length === 0 && <button type="button" id="course" onClick={() => void start()}>{words.judge(all)}</button>}
      {failed && <p role="alert" class="failed">{failed}</p>}
      {judged.length > 1 && <Graph judged={judged} worst={worst} go={go} />}
      {judged.length > 0 && !isRunning && worst.length === 0 && <p>{words.noMistake}</p>}
      {worst.length > 0 && (
        <ol class="mistakes">{worst.map((one) => <li key={one.number}>
          <button type="button" data-at={String(one.atSequence)} onClick={() => go(one.atSequence, one.analysis)}>
            <small>{words.decision(one.number)}</small> <b lang="en">{named(one.played?.action?.label ?? "?")}</b> <span>{one.lossText}</span>
            <small>{words.better} <span lang="en">{named(one.best?.action?.label ?? "?")}</span>, {one.best?.valueText}</small>
          </button>
          {one.best?.reasons[0] && <small class="reasons" lang="en">{named(one.best.reasons[0])}</small>}
        </li>)}</ol>
      )}
    </section>
  );
}

const [WIDE, HIGH] = [280, 90];

function Graph({ judged, worst, go }: { judged: readonly ReviewedDecision[]; worst: readonly ReviewedDecision[]; go(at: bigint, analysis?: Analysis): void }) {
  const x = (number: number) => 4 + (number * (WIDE - 8)) / (judged.length - 1);
  const y = (one: ReviewedDecision) => 4 + (1 - (one.analysis?.candidates[0]?.value ?? 0)) * (HIGH - 8);
  return (
    <svg class="graph" viewBox={`0 0 ${WIDE} ${HIGH}`} role="img" aria-label={words.graph(judged[0]!.analysis?.valueName ?? "")}>
      <line x1="4" x2={WIDE - 4} y1={HIGH / 2} y2={HIGH / 2} class="half" />
      <polyline points={judged.map((one, number) => `${x(number).toFixed(1)},${y(one).toFixed(1)}`).join(" ")} />
      {judged.map((one, number) => (
        <circle key={one.number} cx={x(number)} cy={y(one)} r={worst.includes(one) ? 4 : 2} class={worst.includes(one) ? "mistake" : ""} onClick={() => go(one.atSequence, one.analysis)} />
      ))}
    </svg>
  );
}
