// A new table: its game, mode, seats, bots and options, from what the catalogue says of the game.
import { useState } from "preact/hooks";
import { bearer, explain, surely, tables, tokens } from "./api";
import { clocks } from "./clock";
import type { Game, GameOption } from "./gen/seatmate/v1/catalog_service_pb";
import { GameOption_Kind as Kind } from "./gen/seatmate/v1/catalog_service_pb";
import type { GameSettings } from "./gen/seatmate/v1/settings_pb";
import { Access, type Clock, type Seat } from "./gen/seatmate/v1/table_pb";
import { seatsNamed, words } from "./words";

/** The levels of every game, from weak to strong, as bots. */
export const levels = ["novice", "beginner", "casual", "regular", "skilled", "advanced", "expert", "master"].map((name) => `level:${name}`);
/** The one that is offered first. */
export const usual = "level:casual";
export const paces = [0, 400, 1200, 3000] as const;
const PERSON = "";

/** The next stronger bot; the strongest stays. */
export const better = (bot: string) => { const now = levels.indexOf(bot); return now < 0 ? bot : levels[Math.min(now + 1, levels.length - 1)]!; };

export const nameOfBot = (bot: string) => { const level = levels.indexOf(bot); return level < 0 ? bot : words.levels[level]!; };

/** The levels of a game to choose from, each with its measured strength and the ends of its 95 % interval. */
export const LevelOptions = ({ game }: { game: Game }) => <>{game.levels.map(({ bot, rating }) => <option key={bot} value={bot}>{nameOfBot(bot)}{rating && ` (${words.strength(rating.value, rating.low, rating.high)})`}</option>)}</>;

/** How a seat is called: a bot that nobody has named, by its level; empty while the seat is free. */
export const nameOfSeat = (seat: Seat | undefined) => (seat && seat.displayName === seat.bot ? nameOfBot(seat.bot) : seat?.displayName ?? "");

/** How the person who plays here is called. */
export const own = {
  get name() { return localStorage.getItem("seatmate-name") || words.guest; },
  set name(name: string) { localStorage.setItem("seatmate-name", name.trim().slice(0, 80)); },
};

interface Wish {
  settings: Partial<Pick<GameSettings, "game" | "mode" | "seatCount" | "options" | "pack">>;
  displayName: string;
  seat: number | undefined;
  bots: { seat: number; bot: string; paceMs: number; displayName: string }[];
  access: Access;
  clock?: Partial<Pick<Clock, "moveMs" | "reserveMs" | "incrementMs" | "bot" | "handsOver">> | undefined;
  takeBack?: boolean;
}

/** Deal a new table, sit down, and go there. tell: hears that the service is not reached and is asked again. */
export async function startTable({ settings, displayName, seat, bots, access, clock, takeBack = false }: Wish, tell: (text: string) => void): Promise<void> {
  const { game, mode, seatCount, options, pack } = settings;
  const taken = new Set<string>();
  const called = (bot: string) => { const name = nameOfBot(bot); let one = name; for (let n = 2; taken.has(one); n++) one = `${name} ${n}`; taken.add(one); return one; };
  const seated = bots.map((one) => ({ ...one, displayName: one.displayName || called(one.bot) }));
  const made = await surely((requestId) => tables.createTable({
    settings: { ...(game && { game }), ...(mode && { mode }), ...(seatCount && { seatCount }), ...(options && { options }), ...(pack && { pack }) } as never, displayName, access, requestId, takeBack,
    ...(clock && { clock: { moveMs: clock.moveMs ?? 0, reserveMs: clock.reserveMs ?? 0, incrementMs: clock.incrementMs ?? 0, bot: clock.bot ?? "", handsOver: clock.handsOver ?? false } }),
    bots: seated,
  }), tell);
  const table = made.table!.name;
  tokens.keep(table, made.tableToken);
  tokens.keep(`${table}/invitation`, made.invitation);
  if (seat === undefined) { location.hash = `#/${table}`; return; }
  const name = `${table}/seats/${seat}`;
  await sit(name, tell, made.tableToken);
}

/** Claim the seat with what opens it, and go there. */
export async function sit(seat: string, tell: (text: string) => void, token: string | undefined): Promise<void> {
  const claimed = await surely((requestId) => tables.claimSeat({ name: seat, displayName: own.name, requestId }, bearer(token)), tell);
  tokens.keep(seat, claimed.seatToken);
  location.hash = `#/${seat}`;
}

export const seatCounts = (game: Game, mode: string) => game.modes.find((one) => one.key === mode)?.seatCounts ?? [];

/** The whole form of a game. */
export function StartForm({ game }: { game: Game }) {
  const [mode, setMode] = useState(game.modes[0]?.key ?? "");
  const counts = seatCounts(game, mode);
  const [wished, wish] = useState(0);
  const count = counts.includes(wished) ? wished : counts[0] ?? 2;
  const [seat, setSeat] = useState<number | undefined>(0);
  const me = seat !== undefined && seat < count ? seat : seat === undefined ? undefined : 0;
  const [bots, setBots] = useState<Record<number, string>>({});
  const [pace, setPace] = useState<number>(400);
  const [options, setOptions] = useState<Record<string, string>>({});
  const [pack, setPack] = useState("");
  const [access, setAccess] = useState(Access.PRIVATE);
  const [clock, setClock] = useState("");
  const [handsOver, setHandsOver] = useState(false);
  const [takeBack, setTakeBack] = useState(true);
  const [name, setName] = useState(own.name);
  const [title, setTitle] = useState("");
  const [failed, setFailed] = useState("");
  const [busy, setBusy] = useState(false);
  const botOf = (one: number) => bots[one] ?? usual;
  const others = [...Array(count).keys()].filter((one) => one !== me && botOf(one) !== PERSON);
  const alone = me !== undefined && others.length === count - 1;
  const start = async (event: Event) => {
    event.preventDefault();
    setBusy(true); setFailed("");
    own.name = name;
    try {
      await startTable({
        settings: { game: game.name, mode, seatCount: count, pack, options: Object.fromEntries(Object.entries(options).filter(([, value]) => value !== "").map(([key, value]) => [key, { kind: { case: "text", value } } as never])) },
        displayName: title || game.title, seat: me, access, takeBack: alone && takeBack, clock: clock === "" ? undefined : { ...clocks[Number(clock)], handsOver },
        bots: others.map((one) => ({ seat: one, bot: botOf(one), paceMs: pace, displayName: "" })),
      }, setFailed);
    } catch (error) {
      setFailed(explain(error, (field) => fieldTitle(game, field)));
      setBusy(false);
    }
  };
  return (
    <form class="start" onSubmit={(event) => void start(event)} data-game={game.name}>
      <p lang="en">{game.summary}</p>
      <label>{words.yourName} <input value={name} maxLength={80} onInput={(event) => setName(event.currentTarget.value)} /></label>
      <label>{words.tableName} <input value={title} maxLength={80} placeholder={game.title} onInput={(event) => setTitle(event.currentTarget.value)} /></label>
      {game.modes.length > 1 && (
        <fieldset><legend>{words.mode}</legend>
          {game.modes.map((one) => <label key={one.key} class="choice"><input type="radio" name="mode" checked={mode === one.key} onChange={() => setMode(one.key)} /> <span lang="en"><b>{one.title}</b> {one.description}</span></label>)}
        </fieldset>
      )}
      {counts.length > 1 && <label>{words.seats} <select name="seats" value={count} onChange={(event) => wish(Number(event.currentTarget.value))}>{counts.map((n) => <option key={n} value={n}>{n}</option>)}</select></label>}
      <label>{words.yourSeat} <select name="seat" value={me ?? ""} onChange={(event) => setSeat(event.currentTarget.value === "" ? undefined : Number(event.currentTarget.value))}>
        {[...Array(count).keys()].map((one) => <option key={one} value={one}>{words.seat(one)}</option>)}<option value="">{words.onlyWatch}</option></select></label>
      <fieldset><legend>{words.others}</legend>
        {[...Array(count).keys()].filter((one) => one !== me).map((one) => (
          <label key={one}>{words.seat(one)} <select name={`bot${one}`} value={botOf(one)} onChange={(event) => setBots({ ...bots, [one]: event.currentTarget.value })}>
            <LevelOptions game={game} /><option value={PERSON}>{words.person}</option></select></label>
        ))}
        <label>{words.pace} <select name="pace" value={pace} onChange={(event) => setPace(Number(event.currentTarget.value))}>{paces.map((ms) => <option key={ms} value={ms}>{words.paceOf(ms)}</option>)}</select></label>
      </fieldset>
      {(game.options.length > 0 || game.packs.length > 1) && (
        <details><summary>{words.options}</summary>
          {game.packs.length > 1 && <label>{words.pack} <select name="pack" value={pack} onChange={(event) => setPack(event.currentTarget.value)}>{game.packs.map((one, number) => <option key={one.name} value={number ? one.name : ""}>{one.name}</option>)}</select></label>}
          {game.options.map((option) => <OptionField key={option.key} option={option} value={options[option.key] ?? ""} set={(value) => setOptions({ ...options, [option.key]: value })} />)}
        </details>
      )}
      <label>{words.clock} <select name="clock" value={clock} onChange={(event) => setClock(event.currentTarget.value)}>
        <option value="">{words.noClock}</option>{clocks.map((one, number) => <option key={number} value={number}>{words.clockOf(one.moveMs, one.reserveMs, one.incrementMs)}</option>)}</select></label>
      {clock !== "" && <label>{words.timeUp} <select name="timeUp" value={String(handsOver)} onChange={(event) => setHandsOver(event.currentTarget.value === "true")}>
        <option value="false">{words.botAnswers}</option><option value="true">{words.botTakesOver}</option></select></label>}
      {alone && <label>{words.allowTakeBack} <select name="takeBack" value={String(takeBack)} onChange={(event) => setTakeBack(event.currentTarget.value === "true")}><option value="true">{words.yes}</option><option value="false">{words.no}</option></select></label>}
      <label>{words.access} <select name="access" value={access} onChange={(event) => setAccess(Number(event.currentTarget.value))}>
        <option value={Access.PRIVATE}>{words.private}</option><option value={Access.OPEN}>{words.anybody}</option></select></label>
      {failed && <p role="alert" class="failed">{failed}</p>}
      <button class="primary" disabled={busy}>{words.play}</button>
    </form>
  );
}

/** What the form calls a field of a request. */
function fieldTitle(game: Game, field: string): string {
  const key = field.replace("settings.", "").replace("options.", "");
  const fixed: Record<string, string> = { mode: words.mode, seat_count: words.seats, pack: words.pack };
  return game.options.find((option) => option.key === key)?.title ?? fixed[key] ?? "";
}

const defaultText = (option: GameOption) => {
  const value = option.defaultValue?.kind;
  return value?.case === "ids" ? value.value.ids.join(",") : value?.value === undefined ? "" : String(value.value);
};

/** One field of the schema; what is left alone takes the default. */
function OptionField({ option, value, set }: { option: GameOption; value: string; set(value: string): void }) {
  const usual = defaultText(option);
  const called = (value: string) => seatsNamed(option.valueTitles[value] ?? value);
  const change = (event: { currentTarget: { value: string } }) => set(event.currentTarget.value);
  const field = () => {
    switch (option.kind) {
      case Kind.CHOICE: return <select name={option.key} value={value || usual} onChange={change}>{option.choices.map((one) => <option key={one} value={one}>{called(one)}</option>)}</select>;
      case Kind.FLAG: return <select name={option.key} value={value || usual} onChange={change}><option value="true">{words.yes}</option><option value="false">{words.no}</option></select>;
      case Kind.NUMBER: return <input name={option.key} type="number" min={Number(option.minimum)} max={Number(option.maximum)} value={value || usual} onInput={change} />;
      case Kind.IDS: return <input name={option.key} list={`ids-${option.key}`} value={value} placeholder={usual || option.choices[0]} onInput={change} />;
      default: return option.choices.length && option.maximum <= 200n ? <input name={option.key} list={`ids-${option.key}`} value={value} placeholder={usual} onInput={change} /> : <textarea name={option.key} rows={2} maxLength={Number(option.maximum)} value={value} placeholder={usual} onInput={change} />;
    }
  };
  return (
    <div class="option">
      <label><span lang="en">{seatsNamed(option.title)}</span> {field()}</label>
      <small lang="en">{seatsNamed(option.description)}</small>
      <datalist id={`ids-${option.key}`}>{[...option.choices, ...option.ids].map((one) => <option key={one} value={one}>{called(one)}</option>)}</datalist>
    </div>
  );
}
