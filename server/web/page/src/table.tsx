// One table: what lies on it, what one may do, what has happened, hints, and looking back.
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Actions } from "./actions";
import { tokens } from "./api";
import { Board } from "./board";
import { Clocks } from "./clock";
import { Course } from "./course";
import { decided, takeBack, takesBack } from "./descend";
import type { Action } from "./gen/seatmate/v1/action_pb";
import type { Analysis } from "./gen/seatmate/v1/analysis_pb";
import { Event_Level as Level, type Event } from "./gen/seatmate/v1/event_pb";
import { BESIDE } from "./fit";
import { HintPanel, useHint } from "./hint";
import { useFaces, useLive, useTableTitle } from "./live";
import { Log } from "./log";
import { Owner, SkipWaiting } from "./owner";
import { ReplayBar, useReplay } from "./replay";
import { fitting, isAction, NOTHING, offers, touch as touched, type Choice, type Offer } from "./scene";
import { nameOfSeat, sit } from "./start";
import { Badge } from "./thing";
import { seatsNamed, words } from "./words";

const SLOW = new Set(["irreversible"]);

export function TablePage({ table: name, seat, at }: { table: string; seat: number | undefined; at: bigint | undefined }) {
  const live = useLive(name, seat);
  const { table, events, link } = live;
  const me = seat === undefined ? undefined : `${name}/seats/${seat}`;
  const { faces, glossary } = useFaces(table?.settings);
  const title = useTableTitle(table);
  const replay = useReplay(me ?? name, tokens.for(me ?? name), events, at);
  const view = replay.at === undefined ? live.view : replay.view ?? live.view;
  const past = replay.at !== undefined;
  const moment = replay.view?.sequence === replay.at ? replay.view : undefined;      // of the past, once it has come
  const actions = past ? EMPTY : live.legal?.actions ?? EMPTY;
  const [choice, choose] = useState<Choice>(NOTHING);
  const [doubtful, doubt] = useState<Action>();
  const hint = useHint(me, past ? replay.at : undefined, live.fail);

  const called = useCallback((one: number) => nameOfSeat(table?.seats[one]) || words.seat(one), [table]);
  const named = useCallback((text: string) => seatsNamed(text, called), [called]);

  // A new position: what was chosen and advised belongs to the old one. A mistake brings the hint of its moment along.
  const brought = useRef<Analysis | undefined>(undefined);
  useEffect(() => {
    choose(NOTHING); doubt(undefined); hint.clear();
    if (brought.current) hint.show(brought.current);
    brought.current = undefined;
  }, [live.view, replay.at]);
  const jump = useCallback((to: bigint, analysis?: Analysis) => {
    if (to === replay.at && analysis) hint.show(analysis);
    brought.current = to === replay.at ? undefined : analysis;
    replay.go(to);
  }, [replay.at, replay.go]);

  const act = useCallback((action: Action) => {
    if (SLOW.has(action.prominence) && doubtful !== action) return doubt(action);
    doubt(undefined);
    hint.clear();
    live.act(action);
  }, [live.act, doubtful]);

  const touch = useCallback((id: string) => {
    const next = touched(actions, choice, id);
    if (isAction(next)) act(next); else { doubt(undefined); choose(next); }
  }, [actions, choice, act]);

  const back = useCallback(() => {
    if (hint.isThinking) hint.stop(); else hint.clear();
    doubt(undefined);
    choose(NOTHING);
    if (past) replay.go(undefined);
  }, [past, replay.go, hint.isThinking]);

  const offered = useMemo(() => offers(fitting(actions, choice), choice), [actions, choice]);
  const canHint = Boolean(me) && (past ? Boolean(moment?.prompt) : actions.length > 0);
  useKeys({ offered, press: (offer) => ("action" in offer ? act(offer.action) : choose({ ...choice, group: offer.group })), back, hint, replay, canHint });
  useTitle(title, Boolean(live.view?.prompt));

  const fresh = useMemo(() => latest(past ? events.filter((event) => event.sequence <= replay.at!) : events), [events, past, replay.at, view]);
  // One's own cards may lie below the edge of the window: something that may be touched comes into sight.
  useEffect(() => {
    const targets = [...document.querySelectorAll<HTMLElement>(".board .next")];
    const [question, bar] = BESIDE.matches ? [0, 0] : [".status", ".actions"].map((part) => document.querySelector<HTMLElement>(part)?.offsetHeight ?? 0);
    const inSight = (one: HTMLElement) => { const { top, bottom } = one.getBoundingClientRect(); return top >= question! && bottom <= innerHeight - bar!; };
    if (targets.length && !targets.some(inSight)) targets.at(-1)!.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth" });
  }, [actions]);

  useLayoutEffect(() => { document.body.classList.add("playing"); return () => document.body.classList.remove("playing"); }, []);

  const best = hint.analysis?.candidates[0]?.action;
  const hinted = useMemo(() => (best ? (actions.find((one) => one.id === best.id) ?? best).targets : undefined), [best, actions]);

  if (typeof link === "object" && !live.view) return <main><p role="alert" class="failed">{link.failed}</p><p><a href="#/">{words.lobby}</a></p></main>;
  if (!view) return <main><p role="status">{link === "reconnecting" ? words.reconnecting : words.connecting}</p></main>;
  const over = Boolean(live.view?.result);
  const wayBack = me && tokens.of(`${me}/return`);
  const undone = takesBack(table, seat) ? past ? decided(events).find((one) => one >= replay.at!) : decided(events).at(-1) : undefined;
  return (
    <main class={`table ${past ? "past" : ""}`} data-sequence={String((live.view ?? view).sequence)} data-link={typeof link !== "string" ? "failed" : over && link === "live" ? "over" : link} data-at={moment ? String(replay.at) : undefined} data-ready={actions.length > 0}>
      <div class="status">
        <h1 class="unseen">{title}</h1>
        <p role="status" class={view.prompt && !past ? "mine" : ""} lang="en">
          {view.result ? <b>{named(view.result.text)}</b>
            : view.prompt ? <>{past && <span lang={words.code}>{words.wereAsked} </span>}<b>{named(view.promptText)}</b></>
            : view.asked.length ? <span>{view.asked.map((one) => <span key={one}><Badge seat={one} />{called(one)} </span>)}<span lang={words.code}>{past ? words.wasToAct(view.asked.length) : words.thinks(view.asked.length)}</span></span> : null}
        </p>
        {table?.clock && !over && !past && <Clocks table={table} called={called} />}
        <p class="notes">
          {past && <b class="pastly">{words.past}</b>}
          {!me && <span>{words.watching}</span>}
          {table && !over && !past && !view.prompt && <SkipWaiting table={table} fail={live.fail} />}
          {link === "reconnecting" && <span role="alert">{words.reconnecting}</span>}
          {typeof link === "object" ? <span role="alert" class="failed">{link.failed} {link.seatLost && wayBack && <button type="button" data-come-back onClick={() => { sit(me!, live.tell, wayBack).then(() => location.reload(), live.fail); }}>{words.comeBack}</button>}</span> : me && !tokens.of(me) && !over && <span>{words.noToken}</span>}
        </p>
      </div>
      <section class="play" aria-label={words.table}>
        {view.scene && <Board scene={view.scene} faces={faces} glossary={glossary} seat={seat} name={called} named={named} asked={view.asked} past={past} actions={actions} choice={choice} touch={touch} hinted={hinted} touched={fresh} fits />}
      </section>
      {live.failed && <p role="alert" class="failed">{live.failed}</p>}
      {me && !over && !past && (
        <Actions actions={actions} offered={offered} choice={choice} choose={choose} act={act} doubtful={doubtful} back={back} named={named}
          best={best?.id} waiting={Boolean(live.view?.prompt) && !live.legal} hint={hint} />
      )}
      {over && !past && <Owner table={table} seat={seat} over />}
      <aside class="side">
        {(me || hint.isOpen) && <HintPanel hint={hint} act={past ? undefined : act} named={named} />}
        <Log events={events} called={called} at={replay.at} show={replay.show} />
        <ReplayBar replay={replay} hint={canHint ? hint.ask : undefined} takeBack={undone === undefined ? undefined : () => { takeBack(name, seat!, undone, live.tell).catch(live.fail); }} />
        {over && me && <Course seat={me} events={events} go={jump} named={named} />}
        {!over && <Owner table={table} seat={seat} />}
      </aside>
    </main>
  );
}

const EMPTY: readonly Action[] = [];

const FRESH = 6;        // more at once says nothing

/** What the last turn was about; in the past, what the event was about. Of many things the latest. */
function latest(events: readonly Event[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (let number = events.length - 1; number >= 0; number--) {
    for (const id of events[number]!.touched) if (found.size < FRESH) found.add(id);
    if (events[number]!.level === Level.TURN) break;
  }
  return found;
}

interface Keys { offered: readonly Offer[]; press(offer: Offer): void; back(): void; hint: ReturnType<typeof useHint>; replay: ReturnType<typeof useReplay>; canHint: boolean }

function useKeys(keys: Keys): void {
  const last = useRef(keys);
  last.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || (event.target as Element).closest("select, input, textarea, dialog")) return;
      const { offered, press: choose, back, hint, replay, canHint } = last.current;
      if (event.key === "Escape") back();
      else if (event.key === "h" || event.key === "?") { if (canHint) hint.ask(); }
      else if (/^[1-9]$/.test(event.key)) { const one = offered[Number(event.key) - 1]; if (one) choose(one); }
      else if (event.key === "ArrowLeft") replay.step(-1);
      else if (event.key === "ArrowRight") replay.step(1);
      else if (event.key === "Home") replay.step(-Infinity);
      else if (event.key === "End") replay.go(undefined);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

/** The title says when it is one's turn, and blinks when nobody looks. */
function useTitle(title: string, mine: boolean): void {
  useEffect(() => {
    const plain = `${title} · Seatmate`;
    document.title = mine ? `● ${words.yourTurn} · ${plain}` : plain;
    if (!mine) return;
    let on = true;
    const timer = setInterval(() => { on = !on || !document.hidden; document.title = on ? `● ${words.yourTurn} · ${plain}` : plain; }, 900);
    return () => { clearInterval(timer); document.title = plain; };
  }, [title, mine]);
}
