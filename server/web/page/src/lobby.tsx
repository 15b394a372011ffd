// Games to start, tables to go on with, to join or to watch.
import { useEffect, useState } from "preact/hooks";
import { bearer, explain, isGone, isLost, PAGE, pause, tables, tokens, watchList } from "./api";
import type { Game } from "./gen/seatmate/v1/catalog_service_pb";
import { Access, Seat_Holder as Holder, Table_State as State, type Table } from "./gen/seatmate/v1/table_pb";
import { useGames, useTableTitle } from "./live";
import { Picture } from "./picture";
import { LevelOptions, nameOfSeat, own, sit, StartForm, startTable, usual } from "./start";
import { owner } from "./tournaments";
import { words } from "./words";

const newest = (a: Table, b: Table) => Number((b.createTime?.seconds ?? 0n) - (a.createTime?.seconds ?? 0n));
export function Lobby() {
  const [failed, setFailed] = useState("");
  const all = useGames((error) => setFailed(explain(error)));
  const [list, setList] = useState<Table[]>();
  const [older, setOlder] = useState<Table[]>([]);
  const [more, setMore] = useState<string>();
  useEffect(() => watchList(({ tables: changed, removed }, fresh) => {
    setList((known = []) => {
      const gone = new Set([...removed, ...changed.map((one) => one.name)]);
      return [...changed, ...(fresh ? [] : known.filter((one) => !gone.has(one.name)))].sort(newest);
    });
    setFailed("");
  }, (link) => { if (typeof link === "object") setFailed(link.failed); else if (link === "reconnecting") setFailed(words.reconnecting); }), []);
  const showOlder = async () => {
    const have = new Set(shown.map((one) => one.name));
    let [token, found] = [more, [] as Table[]];
    try {
      do {            // the first page is what the list began with
        const answer = await tables.listTables({ pageSize: PAGE, ...(token !== undefined && { pageToken: token }) });
        [token, found] = [answer.nextPageToken, answer.tables];
      } while (token && found.every((one) => have.has(one.name)));
      setOlder([...older, ...found]);
      setMore(token);
    } catch (error) { setFailed(explain(error)); }
  };
  const mineToo = useOwn();
  const shown = [...new Map([...mineToo, ...older, ...(list ?? [])].map((one) => [one.name, one])).values()].sort(newest);
  const mine = shown.filter((table) => table.state === State.PLAYING && table.seats.some((seat) => tokens.of(seat.name)));
  const line = (table: Table) => <li key={table.name} data-table={table.name}><TableLine table={table} title={all.find((game) => game.name === table.settings?.game)?.title} fail={setFailed} /></li>;
  useEffect(() => { document.title = "Seatmate"; }, []);
  return (
    <main class="lobby">
      {failed && <p role="alert" class="failed">{failed}</p>}
      {mine.length > 0 && (
        <section aria-labelledby="mine">
          <h2 id="mine">{words.goOn}</h2>
          <ul class="tables mine-tables">{mine.map(line)}</ul>
        </section>
      )}
      <section aria-labelledby="play">
        <h1 id="play">{words.playAGame}</h1>
        <ul class="games">{all.map((game) => <li key={game.name}><GameCard game={game} /></li>)}</ul>
      </section>
      <section aria-labelledby="tables">
        <h2 id="tables">{words.tables}</h2>
        {list && shown.length === 0 && <p>{words.noTable}</p>}
        <ul class="tables">{shown.filter((table) => !mine.includes(table)).map(line)}</ul>
        {(list?.length ?? 0) >= PAGE && more !== "" && <p><button type="button" onClick={() => void showOlder()}>{words.older}</button></p>}
      </section>
      {owner.token && <p><a href="#/tournaments">{words.tournaments}</a></p>}
    </main>
  );
}

const claim = (table: string, seat: string, tell: (text: string) => void, invitation?: string) => sit(seat, tell, invitation ?? tokens.of(`${seat}/return`) ?? tokens.of(table) ?? tokens.of(`${table}/invitation`));

const LOOK_MS = 3000;

/** The tables of this browser, private ones among them, which stand in no list: those that go on are looked at again and again. */
function useOwn(): Table[] {
  const [found, setFound] = useState<Table[]>([]);
  useEffect(() => {
    let stopped = false;
    const look = async (name: string) => {
      try {
        const table = await tables.getTable({ name }, bearer(tokens.for(name)));
        if (stopped) return false;
        setFound((known) => [...known.filter((one) => one.name !== name), table]);
        return table.state === State.PLAYING;
      } catch (error) {
        if (!isGone(error)) return isLost(error);
        tokens.forget(name);
        setFound((known) => known.filter((one) => one.name !== name));
        return false;
      }
    };
    void (async () => {
      let names = tokens.tables();
      while (!stopped && names.length) {
        const goesOn = await Promise.all(names.map(look));
        names = names.filter((_, number) => goesOn[number]);
        do await pause(LOOK_MS); while (document.hidden && !stopped);
      }
    })();
    return () => { stopped = true; };
  }, []);
  return found;
}

function TableLine({ table, title, fail }: { table: Table; title: string | undefined; fail(text: string): void }) {
  const over = table.state !== State.PLAYING;
  const mine = table.seats.find((seat) => tokens.of(seat.name));
  const left = table.seats.find((seat) => seat.holder !== Holder.PLAYER && tokens.of(`${seat.name}/return`));
  const open = left ?? table.seats.find((seat) => seat.holder === Holder.OPEN);
  const asked = !over && mine && table.asked.includes(mine.seat);
  const join = () => claim(table.name, open!.name, fail).catch((error) => fail(explain(error)));
  return (
    <>
      <span><b>{table.displayName || title || table.settings?.game}</b>{title && table.displayName && table.displayName !== title && <small> {title}</small>}<br />
        <small>{table.seats.map((seat) => nameOfSeat(seat) || words.open).join(", ")}{over && ` · ${words.over}`}{asked && ` · ${words.yourTurn}`}</small></span>
      {mine && <a class="button primary" href={`#/${mine.name}`}>{over ? words.lookBack : words.goOn}</a>}
      {!mine && !over && open && (table.access === Access.OPEN || left || tokens.of(table.name) || tokens.of(`${table.name}/invitation`)) && <button type="button" onClick={() => void join()}>{left ? words.comeBack : words.join}</button>}
      <a class="button" href={`#/${table.name}`}>{over ? words.replay : words.watch}</a>
    </>
  );
}

function GameCard({ game }: { game: Game }) {
  const [failed, setFailed] = useState("");
  const [busy, setBusy] = useState(false);
  const [bot, setBot] = useState(usual);
  const counts = [...new Set(game.modes.flatMap((mode) => mode.seatCounts))].sort((a, b) => a - b);
  const play = (event: Event) => {
    event.preventDefault();
    setBusy(true);
    const mode = game.modes[0];
    const seatCount = mode?.seatCounts[0] ?? 2;
    startTable({
      settings: { game: game.name, mode: mode?.key ?? "", seatCount }, displayName: game.title, seat: 0, access: Access.PRIVATE, takeBack: true,
      bots: [...Array(seatCount - 1).keys()].map((one) => ({ seat: one + 1, bot, paceMs: 400, displayName: "" })),
    }, setFailed).catch((error) => { setFailed(explain(error)); setBusy(false); });
  };
  return (
    <form class="game" onSubmit={play} data-game={game.name}>
      <Picture game={game} />
      <h2 lang="en">{game.title}</h2>
      <p lang="en">{game.summary}</p>
      <p class="seats"><small>{words.seatsFrom(counts[0] ?? 0, counts.at(-1) ?? 0)}{game.cooperative && ` · ${words.together}`}</small></p>
      <label>{game.cooperative ? words.alongside : words.against} <select name="bot" value={bot} onChange={(event) => setBot(event.currentTarget.value)}><LevelOptions game={game} /></select></label>
      <div class="buttons"><button class="primary" data-play disabled={busy}>{words.play}</button> <a class="button" href={`#/new/${game.name.replace("games/", "")}`} aria-label={`${words.options}: ${game.title}`}>{words.options}</a></div>
      {failed && <p role="alert" class="failed">{failed}</p>}
    </form>
  );
}

/** The form of one game. */
export function NewTable({ id }: { id: string }) {
  const [failed, setFailed] = useState("");
  const all = useGames((error) => setFailed(explain(error)));
  const game = all.find((one) => one.name === `games/${id}`);
  useEffect(() => { document.title = `${game?.title ?? id} · Seatmate`; }, [game]);
  return (
    <main class="new">
      {(failed || (all.length > 0 && !game)) && <p role="alert" class="failed">{failed || words.noGame(id)}</p>}
      {game && <><h1 lang="en">{game.title}</h1><StartForm game={game} /></>}
    </main>
  );
}

/** A link to a free seat. */
export function Join({ table, seat, invitation }: { table: string; seat: string; invitation: string | undefined }) {
  const [failed, setFailed] = useState("");
  const [name, setName] = useState(own.name);
  const [found, setFound] = useState<Table>();
  const title = useTableTitle(found);
  useEffect(() => {
    tables.getTable({ name: table }, bearer(invitation ?? tokens.for(table))).then((one) => {
      if (invitation) tokens.keep(`${table}/invitation`, invitation);
      setFound(one);
    }, (error) => setFailed(explain(error)));
  }, [table]);
  const join = (event: Event) => { event.preventDefault(); own.name = name; claim(table, seat, setFailed, invitation).catch((error) => setFailed(explain(error))); };
  return (
    <main class="new">
      <h1>{title}</h1>
      {failed && <p role="alert" class="failed">{failed}</p>}
      <form class="start" onSubmit={join}>
        <label>{words.yourName} <input value={name} maxLength={80} onInput={(event) => setName(event.currentTarget.value)} /></label>
        <button class="primary">{words.join}</button> <a class="button" href={`#/${table}`}>{words.watch}</a>
      </form>
    </main>
  );
}

