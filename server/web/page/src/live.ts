// One table as it goes on: what has happened, what is seen now, and what one may do.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { bearer, catalog, explain, isLost, isStale, pause, tables, tokens, watch, type Link } from "./api";
import type { Action } from "./gen/seatmate/v1/action_pb";
import type { Game } from "./gen/seatmate/v1/catalog_service_pb";
import type { Event } from "./gen/seatmate/v1/event_pb";
import type { Observation } from "./gen/seatmate/v1/observation_pb";
import type { GameSettings } from "./gen/seatmate/v1/settings_pb";
import type { Table } from "./gen/seatmate/v1/table_pb";
import type { Faces } from "./scene";
import { words } from "./words";

export interface Legal { actions: Action[]; sequence: bigint }

export interface Live {
  table: Table | undefined;
  view: Observation | undefined;
  events: readonly Event[];
  legal: Legal | undefined;
  link: Link;
  failed: string;
  /** Send an answer; it is sent again by itself until the service has it. */
  act(action: Action): void;
  fail(error: unknown): void;
  /** Say something that did not go well yet; empty: all is well again. */
  tell(text: string): void;
}

export function useLive(name: string, seat: number | undefined): Live {
  const me = seat === undefined ? undefined : `${name}/seats/${seat}`;
  const token = tokens.for(me ?? name);
  const [table, setTable] = useState<Table>();
  const [view, setView] = useState<Observation>();
  const [events, setEvents] = useState<readonly Event[]>([]);
  const [legal, setLegal] = useState<Legal>();
  const [link, setLink] = useState<Link>("connecting");
  const [failed, setFailed] = useState("");
  const clocked = useRef(false);
  const fail = useCallback((error: unknown) => setFailed(explain(error)), []);

  useEffect(() => watch(me ?? name, token, (step) => {
    if (step.events.length) setEvents((known) => [...known, ...step.events]);
    if (step.table) { setTable(step.table); clocked.current = step.table.clock?.handsOver ?? false; }
    if (!step.observation) return;
    setView(step.observation);          // with what may be done there: nothing of an older position is left
    setLegal(step.legal?.actions.length ? { actions: step.legal.actions, sequence: step.legal.sequence } : undefined);
    setFailed("");
  }, (now) => {
    if (me && typeof now === "object" && now.seatLost) {
      if (token && tokens.of(me) === token && clocked.current) tokens.keep(`${me}/return`, token);      // the clock gave the seat away; its token gives it back
      tokens.drop(me);
      setLegal(undefined);
    }
    setLink(now);
  }), [name, me]);

  const act = useCallback((action: Action) => {
    if (!me || !legal) return;
    setFailed("");
    setLegal(undefined);        // nothing can be sent twice
    const request = { seat: me, actionId: action.id, expectedSequence: legal.sequence, requestId: crypto.randomUUID() };
    void (async () => {
      for (let wait = 250; ; wait = Math.min(2 * wait, 5000)) {
        try {
          await tables.submitAction(request, bearer(token));
          return setFailed("");
        } catch (error) {
          if (isStale(error)) return;           // the stream brings the new position
          if (!isLost(error)) { fail(error); return setLegal(legal); }
          setFailed(words.sending);
          await pause(wait);                    // the same request_id: it is carried out once
        }
      }
    })();
  }, [me, legal, token]);

  return { table, view, events, legal, link, failed, act, fail, tell: setFailed };
}

let games: Promise<Game[]> | undefined;

/** All games; asked for once, and only when they are wanted. */
export function useGames(fail: (error: unknown) => void, wanted = true): Game[] {
  const [found, setFound] = useState<Game[]>([]);
  useEffect(() => {
    if (!wanted) return;
    games ??= catalog.listGames({ pageSize: 100 }).then((answer) => answer.games);
    games.then(setFound, (error) => { games = undefined; fail(error); });
  }, [wanted]);
  return found;
}

/** What a table is called: by its own name, else as its game. */
export function useTableTitle(table: Table | undefined): string {
  const all = useGames(() => undefined, table?.displayName === "");
  return table?.displayName || all.find((game) => game.name === table?.settings?.game)?.title || words.table;
}

const known = new Map<string, Promise<Catalogue>>();
interface Catalogue { faces: Faces; glossary: Readonly<Record<string, string>> }
const NONE: Catalogue = { faces: new Map(), glossary: {} };

/** What the things of a game show. */
export function useFaces(settings: GameSettings | undefined): Catalogue {
  const [found, setFound] = useState(NONE);
  const key = useMemo(() => settings && JSON.stringify([settings.game, settings.mode, settings.seatCount, settings.pack, Object.entries(settings.options ?? {}).map(([name, value]) => [name, String(value.kind.case), String(value.kind.value)])]), [settings]);
  const last = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (!key || !settings || last.current === key) return;
    last.current = key;
    let answer = known.get(key);
    if (!answer) {
      answer = catalog.listFaces({ settings }).then(({ faces, glossary }) => ({ faces: new Map(faces.map((face) => [face.key, face])), glossary }));
      answer.catch(() => known.delete(key));
      known.set(key, answer);
    }
    answer.then((one) => { if (last.current === key) setFound(one); }, () => { last.current = undefined; });
  }, [key]);
  return found;
}
