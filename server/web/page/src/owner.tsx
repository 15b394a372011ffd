// Around a table: links to watch and to take along, who sits where, the bots' pace, giving up, another game.
import { useState } from "preact/hooks";
import { bearer, explain, tables, tokens } from "./api";
import { goToRematch } from "./descend";
import type { Table } from "./gen/seatmate/v1/table_pb";
import { Access, Seat_Holder as Holder, Table_State as State } from "./gen/seatmate/v1/table_pb";
import { better, paces, startTable } from "./start";
import { words } from "./words";

/** What plays on for who leaves or gives up. */
const GOES_ON = { bot: "level:regular", paceMs: 400 };

export function Owner({ table, seat, over = false }: { table: Table | undefined; seat: number | undefined; over?: boolean }) {
  const [failed, setFailed] = useState("");
  const [busy, setBusy] = useState(false);
  const [copied, setCopied] = useState("");
  const [doubtful, doubt] = useState(false);
  if (!table) return null;
  const own = tokens.of(table.name);
  const invitation = tokens.of(`${table.name}/invitation`);
  const isOpen = table.access === Access.OPEN;
  const invited = invitation ? `?invitation=${invitation}` : "";
  const me = seat === undefined ? undefined : `${table.name}/seats/${seat}`;
  const tell = async (work: Promise<unknown>) => {
    setBusy(true); setFailed("");
    try { await work; } catch (error) { setFailed(explain(error)); }
    setBusy(false);
  };
  const copy = (what: string, link: string) => { void navigator.clipboard?.writeText(link); setCopied(what); };
  const here = location.origin + location.pathname;
  const bots = table.seats.filter((one) => one.holder === Holder.BOT);
  const open = table.seats.filter((one) => one.holder === Holder.OPEN);
  const rematch = (rotation: number) => tell(goToRematch(table, seat, rotation, setFailed));
  const stronger = () => tell(startTable({
    settings: table.settings!, displayName: table.displayName, seat,
    bots: table.seats.filter((one) => one.seat !== seat && one.holder === Holder.BOT).map((one) => { const bot = better(one.bot); return { seat: one.seat, bot, paceMs: one.paceMs, displayName: bot === one.bot ? one.displayName : "" }; }),
    access: table.access, clock: table.clock, takeBack: table.takeBack,
  }, setFailed));
  const resign = () => tell(tables.resignSeat({ name: me!, ...GOES_ON }, bearer(tokens.of(me!))).then(({ table: now }) => {
    if (now?.state !== State.FINISHED) { tokens.drop(me!); tokens.drop(`${me}/return`); location.hash = `#/${table.name}`; }     // a bot plays on
  }));
  const pace = (ms: number) => tell(setPace(table, ms));
  const leave = () => tell(tables.leaveSeat({ name: me!, ...GOES_ON }, bearer(tokens.of(me!))).then(({ returnToken }) => { tokens.drop(me!); tokens.keep(`${me}/return`, returnToken); location.hash = `#/${table.name}`; }));
  return (
    <section class="owner" aria-label={words.tableMenu}>
      {over && <p class="again">
        {table.rematch && <b role="status" data-rematch-there>{words.rematchThere}</b>}
        {(me || own) && <button type="button" class="primary" data-rematch disabled={busy} onClick={() => void rematch(0)}>{table.rematch ? words.toRematch : words.rematch}</button>}
        {(me || own) && !table.rematch && <button type="button" data-rematch-moved disabled={busy} onClick={() => void rematch(1)}>{words.rematchMoved}</button>}
        {!me && !own && table.rematch && <a class="button" href={`#/${table.rematch}`}>{words.watch}</a>}
        {me && bots.some((one) => better(one.bot) !== one.bot) && <button type="button" data-next-level disabled={busy} onClick={() => void stronger()}>{words.nextLevel}</button>}
        <a class="button" href="#/">{words.lobby}</a>
      </p>}
      {!over && <details><summary>{words.tableMenu}</summary><p>
        {(isOpen || invitation) && open.map((one) => <button type="button" key={one.name} onClick={() => copy(one.name, `${here}#/${one.name}/join${invited}`)}>{copied === one.name ? words.copied : words.inviteTo(words.seat(one.seat))}</button>)}
        {(isOpen || invitation) && <button type="button" data-watch-link onClick={() => copy("watch", `${here}#/${table.name}${isOpen ? "" : invited}`)}>{copied === "watch" ? words.copied : words.watchLink}</button>}
        {me && tokens.of(me) && <button type="button" onClick={() => copy("mine", `${here}#/${me}?token=${tokens.of(me)}`)}>{copied === "mine" ? words.copied : words.takeAlong}</button>}
        {own && bots.length > 0 && <label>{words.pace} <select value={bots[0]!.paceMs} disabled={busy} onChange={(event) => void pace(Number(event.currentTarget.value))}>
          {[...new Set([...paces, bots[0]!.paceMs])].sort((a, b) => a - b).map((ms) => <option key={ms} value={ms}>{words.paceOf(ms)}</option>)}</select></label>}
        {me && tokens.of(me) && <button type="button" disabled={busy} onClick={() => void leave()}>{words.leave}</button>}
        {me && tokens.of(me) && (doubtful
          ? <span role="alertdialog" aria-label={words.sure}>{words.sure} <button type="button" class="irreversible" data-resign-sure disabled={busy} autofocus onClick={() => void resign()}>{words.resign}</button> <button type="button" onClick={() => doubt(false)}>{words.no}</button></span>
          : <button type="button" data-resign disabled={busy} onClick={() => doubt(true)}>{words.resign}</button>)}
      </p></details>}
      {failed && <p role="alert" class="failed">{failed}</p>}
    </section>
  );
}

const setPace = (table: Table, paceMs: number) => tables.fillSeats({
  name: table.name, bots: table.seats.filter((one) => one.holder === Holder.BOT).map(({ seat, bot, displayName }) => ({ seat, bot, paceMs, displayName })),
}, bearer(tokens.of(table.name)));

/** Who dealt the table need not wait for bots that take their time. */
export function SkipWaiting({ table, fail }: { table: Table; fail(error: unknown): void }) {
  const slow = table.seats.some((one) => one.holder === Holder.BOT && one.paceMs > 0);
  if (!slow || !tokens.of(table.name)) return null;
  return <button type="button" class="quiet" data-skip onClick={() => { setPace(table, 0).catch(fail); }}>{words.skipWaiting}</button>;
}
