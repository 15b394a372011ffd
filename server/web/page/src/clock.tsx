// How long people may think: clocks to choose from, and what each seat has left.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Clock, Seat, Table } from "./gen/seatmate/v1/table_pb";
import { Badge } from "./thing";
import { words } from "./words";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const SOON = 10 * SECOND;

/** Time for each step, a reserve for the game, and what each step adds to it. */
export const clocks: readonly Pick<Clock, "moveMs" | "reserveMs" | "incrementMs">[] = [
  { moveMs: 15 * SECOND, reserveMs: 0, incrementMs: 0 },
  { moveMs: MINUTE, reserveMs: 0, incrementMs: 0 },
  { moveMs: 0, reserveMs: 5 * MINUTE, incrementMs: 3 * SECOND },
  { moveMs: 0, reserveMs: 15 * MINUTE, incrementMs: 10 * SECOND },
  { moveMs: 24 * 60 * MINUTE, reserveMs: 0, incrementMs: 0 },
];

const upAt = (seat: Seat) => (seat.time?.upTime ? Number(seat.time.upTime.seconds) * SECOND + seat.time.upTime.nanos / 1e6 : undefined);
const most = (table: Table, seat: Seat) => table.clock!.moveMs + Number(seat.time!.reserveMs);

/**
 * By how much this browser's clock is ahead of the server's, in milliseconds. Nothing says so, but when a step begins while one watches,
 * what it may take is what is left now.
 */
function useAhead(table: Table): number {
  const known = useRef<{ ends: string; ahead: number }>(undefined);
  const running = table.seats.filter((seat) => upAt(seat) !== undefined);
  const ends = running.map((seat) => `${seat.seat} ${upAt(seat)}`).join();
  if (!running.length || known.current?.ends === ends) return known.current?.ahead ?? 0;
  const ahead = Math.min(...running.map((seat) => Date.now() - (upAt(seat)! - most(table, seat))));
  known.current = { ends, ahead: known.current ? ahead : Math.min(0, ahead) };
  return known.current.ahead;
}

/** What is left to each seat that has a clock; the time of who is asked runs. */
export function Clocks({ table, called }: { table: Table; called(seat: number): string }) {
  const [, tick] = useState(0);
  const ahead = useAhead(table);
  const runs = table.seats.some((seat) => upAt(seat) !== undefined);
  useEffect(() => {
    if (!runs) return;
    const timer = setInterval(() => tick(Date.now()), SECOND / 4);
    return () => clearInterval(timer);
  }, [runs]);
  const left = (seat: Seat) => { const up = upAt(seat); return up === undefined ? Number(seat.time!.reserveMs) : Math.max(0, Math.min(most(table, seat), up - (Date.now() - ahead))); };
  return (
    <ul class="clocks" aria-label={words.clock}>
      {table.seats.filter((seat) => seat.time).map((seat) => (
        <li key={seat.seat} role="timer" data-clock={seat.seat} class={upAt(seat) === undefined ? "" : left(seat) < SOON ? "runs soon" : "runs"} aria-label={`${called(seat.seat)}: ${shown(left(seat))}`}>
          <Badge seat={seat.seat} /><span aria-hidden="true">{shown(left(seat))}</span>
        </li>
      ))}
    </ul>
  );
}

/** `1:02:03`, `2:03`. */
function shown(ms: number): string {
  const seconds = Math.ceil(ms / SECOND);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (number: number) => String(number).padStart(2, "0");
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}
