// To the tables that descend from one: its rematch, and a branch where a decision is taken back. Both go by the old table's tokens.
import { bearer, surely, tables, tokens } from "./api";
import type { Event } from "./gen/seatmate/v1/event_pb";
import { Seat_Holder as Holder, type Table } from "./gen/seatmate/v1/table_pb";
import { sit } from "./start";

const seatOf = (table: string, seat: number) => `${table}/seats/${seat}`;

/** What opened the old table opens the new one. */
function inherit(old: string, next: string): void {
  for (const what of ["", "/invitation"]) {
    const token = tokens.of(old + what);
    if (token) tokens.keep(next + what, token);
  }
}

/** Go to the next game, the same for all who ask; a player to his seat. rotation: by how many seats everybody moves on, if nobody has asked yet. */
export async function goToRematch(table: Table, seat: number | undefined, rotation: number, tell: (text: string) => void): Promise<void> {
  const token = (seat !== undefined && tokens.of(seatOf(table.name, seat))) || tokens.of(table.name);
  const { table: next, rotation: moved } = await surely(() => tables.rematch({ name: table.name, rotation }, bearer(token)), tell);
  inherit(table.name, next!.name);
  if (seat === undefined) { location.hash = `#/${next!.name}`; return; }
  const mine = seatOf(next!.name, (seat + moved) % next!.seats.length);
  if (tokens.of(mine)) location.hash = `#/${mine}`;
  else await sit(mine, tell, token);
}

/** Can this seat's player take decisions back? */
export const takesBack = (table: Table | undefined, seat: number | undefined) => table !== undefined && seat !== undefined && table.takeBack
  && tokens.of(seatOf(table.name, seat)) !== undefined && table.seats.every((one) => one.seat === seat || one.holder === Holder.BOT);

/** The moments right before the decisions that the seat of these events has taken. */
export const decided = (events: readonly Event[]): bigint[] => events.filter((event) => event.key === "CHOICE" && event.sequence > 1n).map((event) => event.sequence - 1n);

/** Play on from before the decision that was taken at this moment, at a table of its own. */
export async function takeBack(table: string, seat: number, at: bigint, tell: (text: string) => void): Promise<void> {
  const me = seatOf(table, seat);
  const token = tokens.of(me);
  const { table: branch } = await surely((requestId) => tables.takeBack({ seat: me, atSequence: at, requestId }, bearer(token)), tell);
  inherit(table, branch!.name);
  if (token) tokens.keep(seatOf(branch!.name, seat), token);
  location.hash = `#/${seatOf(branch!.name, seat)}`;
}
