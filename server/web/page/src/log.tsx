// What has happened: turns with the steps that followed folded below them; each line jumps to its moment.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Event_Level as Level, type Event } from "./gen/seatmate/v1/event_pb";
import { words } from "./words";

const SHOWN = 60;       // turns; the rest on demand

interface Props { events: readonly Event[]; called(seat: number): string; at: bigint | undefined; show(event: bigint): void }

interface Turn { head: Event; steps: Event[] }

export function Log({ events, called, at, show }: Props) {
  const [all, showAll] = useState(false);
  const [turned, turnOver] = useState<ReadonlySet<bigint>>(new Set());       // folded or unfolded by hand
  const turns = useMemo(() => group(events), [events]);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => { if (at === undefined) box.current?.scrollTo({ top: box.current.scrollHeight }); }, [events.length, at]);
  const list = all ? turns : turns.slice(-SHOWN);
  const now = at === undefined ? undefined : events.findLast((event) => event.text && event.sequence <= at);
  const line = (event: Event, step: boolean) => (
    <button type="button" class={`line ${step ? "detail" : ""} ${now === event ? "now" : ""}`} aria-current={now === event ? "step" : undefined} onClick={() => show(event.sequence)}>{says(event, called)}</button>
  );
  return (
    <section class="log" aria-label={words.log}>
      <h2>{words.log}</h2>
      <div role="log" aria-live="polite" tabIndex={0} aria-label={words.log} ref={box} lang="en">
        <div>
          {list.length < turns.length && <button type="button" onClick={() => showAll(true)} lang={words.code}>{words.earlier(turns.length - list.length)}</button>}
          <ol>
            {list.map(({ head, steps }, number) => {
              const open = turned.has(head.sequence) !== number >= list.length - 2;
              const turn = () => turnOver((known) => { const next = new Set(known); if (!next.delete(head.sequence)) next.add(head.sequence); return next; });
              return (
                <li key={String(head.sequence)}>
                  {steps.length > 0 && <button type="button" class="fold" aria-expanded={open} aria-label={words.details} onClick={turn}>{open ? "▾" : "▸"}</button>}
                  {line(head, false)}
                  {steps.length > 0 && open && <ol>{steps.map((step) => <li key={String(step.sequence)}>{line(step, true)}</li>)}</ol>}
                </li>
              );
            })}
          </ol>
        </div>
      </div>
    </section>
  );
}

/** An event in words, with people's names. */
export const says = (event: Event, called: (seat: number) => string) =>
  (event.template || event.text).replace(/\{seat:(\d+)\}/g, (_, seat) => called(Number(seat)));

function group(events: readonly Event[]): Turn[] {
  const turns: Turn[] = [];
  for (const event of events) {
    if (!event.text) continue;
    const last = turns.at(-1);
    if (event.level === Level.TURN || !last) turns.push({ head: event, steps: [] });
    else last.steps.push(event);
  }
  return turns;
}
