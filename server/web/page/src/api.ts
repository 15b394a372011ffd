// The service's API as typed clients, what a failed call tells a person, and the tokens of this browser's seats.
import { Code, ConnectError, createClient, type CallOptions } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { BadRequestSchema, ErrorInfoSchema } from "./gen/google/rpc/error_details_pb";
import { AdvisorService } from "./gen/seatmate/v1/advisor_service_pb";
import { CatalogService } from "./gen/seatmate/v1/catalog_service_pb";
import { TableService, type WatchTableResponse, type WatchTablesResponse } from "./gen/seatmate/v1/table_service_pb";
import { TournamentService } from "./gen/seatmate/v1/tournament_service_pb";
import { seatsNamed, words } from "./words";

const transport = createGrpcWebTransport({ baseUrl: location.origin });
export const catalog = createClient(CatalogService, transport);
export const tables = createClient(TableService, transport);
export const advisor = createClient(AdvisorService, transport);
export const tournaments = createClient(TournamentService, transport);

export const bearer = (token?: string): CallOptions => (token ? { headers: { authorization: `Bearer ${token}` } } : {});

const NO_ENTRY = new Set(["TOKEN_MISSING", "WRONG_TOKEN"]);

/** One sentence for a person. title: what a form calls a field of the request; empty where it has none. */
export function explain(error: unknown, title: (field: string) => string = () => ""): string {
  const failed = ConnectError.from(error);
  const info = failed.findDetails(ErrorInfoSchema)[0];
  if (info?.reason === "SEAT_LOST") return words.seatLost;
  if (info && NO_ENTRY.has(info.reason)) return words.noEntry;
  if (info?.reason === "TABLE_NOT_FOUND") return words.noTableThere;
  if (info?.reason === "SEAT_NOT_FOUND") return words.noSeat(Number(info.metadata.seat), Number(info.metadata.seat_count));
  const fields = failed.findDetails(BadRequestSchema).flatMap((bad) => bad.fieldViolations);
  if (fields.length) return fields.map((one) => seatsNamed([title(one.field), one.description].filter(Boolean).join(": "))).join("; ");
  const said = seatsNamed(failed.rawMessage);
  return failed.code === Code.Unknown || failed.code === Code.Unavailable ? `${words.unreachable} (${said})` : said;
}

const reasonOf = (error: unknown) => ConnectError.from(error).findDetails(ErrorInfoSchema)[0]?.reason;

/** Has the position moved on, so that the stream brings a new one? */
export const isStale = (error: unknown) => ConnectError.from(error).code === Code.Aborted;

/** Does the service want another token? */
export const isNoEntry = (error: unknown) => NO_ENTRY.has(reasonOf(error) ?? "");

/** Has the server no such calls? */
export const isMissing = (error: unknown) => ConnectError.from(error).code === Code.Unimplemented;

/** Is there nothing of this name (any more)? */
export const isGone = (error: unknown) => ConnectError.from(error).code === Code.NotFound;

/** Did the call perhaps never arrive? Then it is safe to repeat it with the same request_id. */
export const isLost = (error: unknown) => [Code.Unknown, Code.Unavailable].includes(ConnectError.from(error).code);

/**
 * Call again while the answer does not arrive, for some seconds: by its request_id it is carried out once. tell: hears of it at once,
 * and with empty words when the answer is there.
 */
export async function surely<T>(call: (requestId: string) => Promise<T>, tell: (text: string) => void): Promise<T> {
  const requestId = crypto.randomUUID();
  for (let wait = 250; ; wait *= 2) {
    try {
      const answer = await call(requestId);
      tell("");
      return answer;
    } catch (error) {
      if (!isLost(error) || wait > 4000) throw error;
      tell(words.askedAgain);
    }
    await pause(wait);
  }
}

const tableOf = (name: string) => name.split("/", 2).join("/");
const OWN = "seatmate-tables";
const MOST_OWN = 30;

/**
 * Tokens survive a reload, and stay with this browser: `tables/T` names the one of the table, `tables/T/invitation` its invitation,
 * `tables/T/seats/N` a seat's, `tables/T/seats/N/return` the one to come back.
 */
export const tokens = {
  of: (name: string) => localStorage.getItem(`seatmate:${name}`) ?? undefined,
  keep: (name: string, token: string) => {
    localStorage.setItem(`seatmate:${name}`, token);
    localStorage.setItem(OWN, JSON.stringify([tableOf(name), ...tokens.tables().filter((one) => one !== tableOf(name))].slice(0, MOST_OWN)));
  },
  drop: (name: string) => localStorage.removeItem(`seatmate:${name}`),
  /** For a seat or a table: its own, or another that lets one see the table. */
  for: (name: string): string | undefined => {
    const table = tableOf(name);
    const others = Object.keys(localStorage).find((key) => key.startsWith(`seatmate:${table}/`));
    return tokens.of(name) ?? tokens.of(table) ?? tokens.of(`${table}/invitation`) ?? (others && localStorage.getItem(others)) ?? undefined;
  },
  /** Names of the tables this browser has, or had, a token of; the latest first. */
  tables: (): string[] => JSON.parse(localStorage.getItem(OWN) ?? "[]"),
  /** The table is gone. */
  forget: (table: string) => {
    for (const key of Object.keys(localStorage)) if (key === `seatmate:${table}` || key.startsWith(`seatmate:${table}/`)) localStorage.removeItem(key);
    localStorage.setItem(OWN, JSON.stringify(tokens.tables().filter((one) => one !== table)));
  },
};

export type Link = "connecting" | "live" | "reconnecting" | "over" | { failed: string; seatLost: boolean };

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const HOPELESS = new Set([Code.NotFound, Code.PermissionDenied, Code.Unauthenticated, Code.InvalidArgument, Code.OutOfRange, Code.DataLoss, Code.FailedPrecondition]);

/** Follow a stream for good: `open` begins it again where it broke off, `onStep` hears of each message. Returns what ends it. */
function follow<T>(open: (options: CallOptions) => AsyncIterable<T>, onStep: (step: T) => void, onLink: (link: Link) => void): () => void {
  const stop = new AbortController();
  void (async () => {
    let wait = 250;
    onLink("connecting");
    while (!stop.signal.aborted) {
      await shown();
      const [signal, forget] = untilHidden(stop.signal);
      try {
        for await (const step of open({ signal })) {
          wait = 250;
          onLink("live");
          onStep(step);
        }
        return onLink("over");
      } catch (error) {
        if (stop.signal.aborted) return;
        if (signal.aborted) continue;
        if (HOPELESS.has(ConnectError.from(error).code)) return onLink({ failed: explain(error), seatLost: reasonOf(error) === "SEAT_LOST" });
        onLink("reconnecting");
        await Promise.race([pause(wait), online()]);
        wait = Math.min(2 * wait, 5000);
      } finally {
        forget();
      }
    }
  })();
  return () => stop.abort();
}

/** A table from its beginning until its rematch is there: each time from the last event seen, so nothing is lost or repeated. */
export function watch(observer: string, token: string | undefined, onStep: (step: WatchTableResponse) => void, onLink: (link: Link) => void): () => void {
  let since = 0n;
  return follow(
    (options) => tables.watchTable({ observer, sinceSequence: since, includeObservation: true, includeActions: true, untilRematch: true }, { ...bearer(token), ...options }),
    (step) => { since = step.events.at(-1)?.sequence ?? since; onStep(step); }, onLink);
}

/** Tables in a list until one asks for older ones. */
export const PAGE = 50;

/** The list of tables: as a whole whenever it begins, then what changes. */
export function watchList(onStep: (step: WatchTablesResponse, fresh: boolean) => void, onLink: (link: Link) => void): () => void {
  let fresh = true;
  return follow((options) => { fresh = true; return tables.watchTables({ pageSize: PAGE }, options); }, (step) => { onStep(step, fresh); fresh = false; }, onLink);
}

const online = () => new Promise<void>((resolve) => addEventListener("online", () => resolve(), { once: true }));

// Over HTTP/1.1 a browser opens six connections to a server and no more, over all its tabs, and a stream holds one: the seventh tab
// would not even load. So a tab that has been out of sight for a while gives its stream back.
const HIDDEN_MS = 10_000;

const shown = () => new Promise<void>((resolve) => {
  const look = () => { if (!document.hidden) { document.removeEventListener("visibilitychange", look); resolve(); } };
  document.addEventListener("visibilitychange", look);
  look();
});

function untilHidden(stop: AbortSignal): [AbortSignal, () => void] {
  const control = new AbortController();
  let timer = 0;
  const look = () => { clearTimeout(timer); if (document.hidden) timer = window.setTimeout(() => control.abort(), HIDDEN_MS); };
  const end = () => control.abort();
  document.addEventListener("visibilitychange", look);
  stop.addEventListener("abort", end);
  look();
  return [control.signal, () => { clearTimeout(timer); document.removeEventListener("visibilitychange", look); stop.removeEventListener("abort", end); }];
}
