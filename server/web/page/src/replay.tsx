// Looking back: the table as it was right after any event, during the game and after it.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { bearer, tables } from "./api";
import type { Event } from "./gen/seatmate/v1/event_pb";
import type { Observation } from "./gen/seatmate/v1/observation_pb";
import { words } from "./words";

export interface Replay {
  /** The event after which the table is shown; undefined: now. */
  at: bigint | undefined;
  view: Observation | undefined;
  /** The moments one can step to. */
  stops: readonly bigint[];
  go(at: bigint | undefined): void;
  /** To the moment that an event has led to. */
  show(event: bigint): void;
  step(by: number): void;
}

const KEPT = 400;

/**
 * The moments worth a look: after each event with words, but once the question that follows stands, so that who is to act is who acts
 * next. The first is what lay on the table before anything happened, where the observer was told.
 */
export function moments(events: readonly Event[]): bigint[] {
  const asks = (event: Event | undefined) => event?.key === "BUSY" || event?.key === "ASK";
  return events.filter((event, number) => {
    const [before, next] = [events[number - 1], events[number + 1]];
    if (event.key === "ASK") return before?.key === "BUSY";
    if (event.key === "BUSY") return next?.key !== "ASK" && !asks(before);
    return event.text !== "" && next?.key !== "BUSY";
  }).map((event) => event.sequence);
}

export function useReplay(observer: string, token: string | undefined, events: readonly Event[], start: bigint | undefined): Replay {
  const [at, setAt] = useState(start);
  const [view, setView] = useState<Observation>();
  const kept = useRef(new Map<bigint, Observation>());
  const wanted = useRef(at);
  wanted.current = at;
  const stops = useMemo(() => moments(events), [events]);

  useEffect(() => {
    if (at === undefined) return setView(undefined);
    const known = kept.current.get(at);
    if (known) return setView(known);
    tables.getObservation({ observer, atSequence: at }, bearer(token)).then((found) => {
      if (kept.current.size >= KEPT) kept.current.clear();
      kept.current.set(at, found);
      if (wanted.current === at) setView(found);
    }, () => { if (wanted.current === at) setAt(undefined); });
  }, [at, observer, token]);

  const go = useCallback((to: bigint | undefined) => {
    setAt(to);
    history.replaceState(null, "", `#/${observer}${to === undefined ? "" : `@${to}`}`);
  }, [observer]);
  const show = useCallback((event: bigint) => go(stops.find((one) => one >= event) ?? event), [stops, go]);
  const step = useCallback((by: number) => {
    if (!stops.length) return;
    const now = wanted.current === undefined ? stops.length - 1 : stops.findLastIndex((one) => one <= wanted.current!);
    const next = Math.max(0, now + by);
    go(next >= stops.length - 1 && by > 0 ? undefined : stops[Math.min(next, stops.length - 1)]);
  }, [stops, go]);
  return { at, view, stops, go, show, step };
}

interface BarProps { replay: Replay; hint: (() => void) | undefined; takeBack: (() => void) | undefined }

export function ReplayBar({ replay: { at, stops, go, step }, hint, takeBack }: BarProps) {
  if (stops.length < 2) return null;
  const now = at === undefined ? stops.length - 1 : Math.max(0, stops.findLastIndex((one) => one <= at));
  return (
    <section class="replay" aria-label={words.replay}>
      <button type="button" onClick={() => step(-1)} aria-label={words.earlierStep}>◀</button>
      <input type="range" min={0} max={stops.length - 1} value={now} aria-label={words.replay} aria-valuetext={`${now + 1} / ${stops.length}`}
        onInput={(event) => { const to = Number(event.currentTarget.value); go(to === stops.length - 1 ? undefined : stops[to]); }} />
      <button type="button" onClick={() => step(1)} disabled={at === undefined} aria-label={words.laterStep}>▶</button>
      <button type="button" onClick={() => go(undefined)} disabled={at === undefined}>{words.now}</button>
      {at !== undefined && hint && <button type="button" id="hint" onClick={hint}><kbd aria-hidden="true">H</kbd>{words.hint}</button>}
      {takeBack && <button type="button" data-take-back onClick={takeBack}>{at === undefined ? words.takeBack : words.playFromHere}</button>}
      {at !== undefined && <button type="button" data-copy onClick={() => void navigator.clipboard?.writeText(location.href)}>{words.copyPosition}</button>}
    </section>
  );
}
