// Draws any scene: places, what lies in them, what may be touched, what a hint says and what has just happened.
import { createContext, type ComponentChildren } from "preact";
import { useContext, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Action } from "./gen/seatmate/v1/action_pb";
import { Thing_Shape as Shape, Zone_Layout as Layout, type Face, type Link, type Scene, type Thing, type Zone } from "./gen/seatmate/v1/scene_pb";
import { glide, rectangles } from "./motion";
import { children, NOTHING, titleOf, titles, touchable, type Choice, type Faces } from "./scene";
import { words } from "./words";

export interface BoardProps {
  scene: Scene;
  faces: Faces;
  /** What the game's words mean. */
  glossary: Readonly<Record<string, string>>;
  /** Whose view it is; undefined for a spectator. */
  seat?: number | undefined;
  /** Display name of a seat. */
  name(seat: number): string;
  /** `Seat 1` in a text of the game becomes a name. */
  named(text: string): string;
  /** Seats that are being asked something. */
  asked?: readonly number[];
  actions?: readonly Action[];
  choice?: Choice;
  touch?(id: string): void;
  /** Ids of a hint, in the order in which they would be touched. */
  hinted?: readonly string[];
  /** Ids that the last events were about. */
  touched?: ReadonlySet<string>;
}

interface Drawing extends BoardProps {
  below: Map<string, Zone[]>;
  /** For which ids there is an answer, which come next, and which may be touched now. */
  live: ReadonlySet<string>;
  next: ReadonlySet<string>;
  any: ReadonlySet<string>;
  title: ReadonlyMap<string, string>;
  links: ReadonlyMap<string, Link[]>;
  look(one: Look | undefined): void;
}

/** What somebody points at, and where. */
interface Look { id: string; at: DOMRect; title: string; face?: Face | undefined; tags: readonly string[]; note: string }

const Drawn = createContext<Drawing>(undefined as never);

export function Board(props: BoardProps) {
  const { scene, faces, actions = [], choice = NOTHING } = props;
  const box = useRef<HTMLDivElement>(null);
  const [looked, look] = useState<Look>();
  const drawing = useMemo<Drawing>(() => ({
    ...props, below: children(scene), title: titles(scene, faces), look,
    live: new Set(actions.flatMap((action) => action.targets)), ...touchable(actions, choice), links: linked(scene),
  }), [scene, faces, actions, choice, props.hinted, props.touched, props.asked, props.named, props.touch]);

  // Things move from where they were to where they are.
  const before = useRef(new Map<string, DOMRect>());
  useLayoutEffect(() => {
    if (box.current) before.current = glide(box.current, before.current, props.touched);
  }, [scene]);
  useLayoutEffect(() => {
    const remember = () => { if (box.current) before.current = rectangles(box.current); };
    addEventListener("resize", remember);
    return () => removeEventListener("resize", remember);
  }, []);
  // A card that is gone can't be looked at any longer.
  useLayoutEffect(() => look(undefined), [scene]);

  const { others, middle, mine, beside } = useMemo(() => arrange(drawing), [drawing]);
  return (
    <Drawn.Provider value={drawing}>
      <div class="board" ref={box} onKeyDown={walk} lang="en">
        {others.length > 0 && <div class="others">{others.map(([seat, zones]) => <SeatPanel key={seat} seat={seat} zones={zones} />)}</div>}
        {middle.length > 0 && <div class="middle">{middle.map((zone) => <ZoneBox key={zone.id} zone={zone} />)}</div>}
        {mine.map(([seat, zones]) => <SeatPanel key={seat} seat={seat} zones={zones} mine />)}
        {beside.length > 0 && <div class="beside">{beside.map((zone) => <ZoneBox key={zone.id} zone={zone} />)}</div>}
      </div>
      {looked && <Magnified look={looked} />}
    </Drawn.Provider>
  );
}

/** Opponents above, the table in the middle, oneself below it; aside what is looked up, unless an answer is about it. */
function arrange({ scene, below, seat, live }: Drawing) {
  const seats = new Map<number, Zone[]>();
  const [middle, beside]: [Zone[], Zone[]] = [[], []];
  const aim = (zone: Zone): boolean => live.has(zone.id) || zone.things.some((thing) => live.has(thing.id)) || (below.get(zone.id) ?? []).some(aim);
  for (const zone of below.get("") ?? []) {
    if (isEmpty(zone, below, live)) continue;
    if (zone.seat !== undefined) seats.set(zone.seat, [...(seats.get(zone.seat) ?? []), zone]);
    else (zone.aside && !aim(zone) ? beside : middle).push(zone);
  }
  const all = [...seats].sort(([a], [b]) => a - b);
  const rank = (zone: Zone) => (zone.layout === Layout.MAP ? 0 : zone.layout === Layout.GRID ? 1 : 2);
  return {
    others: all.filter(([one]) => one !== seat), mine: all.filter(([one]) => one === seat), beside,
    middle: [...middle].sort((a, b) => rank(a) - rank(b) || scene.zones.indexOf(a) - scene.zones.indexOf(b)),
  };
}

const isEmpty = (zone: Zone, below: Map<string, Zone[]>, live: ReadonlySet<string>): boolean =>
  !zone.things.length && !zone.note && !live.has(zone.id) && zone.layout !== Layout.GRID &&
  (zone.layout === Layout.MAP ? !below.get(zone.id)?.length : (below.get(zone.id) ?? []).every((one) => isEmpty(one, below, live)));

/** A long list to look things up in, such as the cards not seen yet: folded until somebody opens it. */
const isReference = (zone: Zone, live: ReadonlySet<string>) =>
  zone.layout === Layout.ROW && zone.things.length > 4 && zone.things.every((thing) => thing.shape === Shape.CARD && thing.seat === undefined && !live.has(thing.id));

function linked(scene: Scene): Map<string, Link[]> {
  const links = new Map<string, Link[]>();
  for (const link of scene.links) links.set(link.start, [...(links.get(link.start) ?? []), link]);
  return links;
}

function SeatPanel({ seat, zones, mine = false }: { seat: number; zones: Zone[]; mine?: boolean }) {
  const { name, asked = [] } = useContext(Drawn);
  return (
    <section class={`seat ${mine ? "mine" : ""} ${asked.includes(seat) ? "asked" : ""}`} aria-label={name(seat)} data-seat={seat}>
      <h2 class="owner"><Badge seat={seat} /> <span>{name(seat)}</span>{asked.includes(seat) && <small>{words.toAct}</small>}</h2>
      <div class="zones">{zones.map((zone) => <ZoneBox key={zone.id} zone={zone} />)}</div>
    </section>
  );
}

/** Whose a thing is, by colour and number. */
export const Badge = ({ seat }: { seat: number }) => <i class={`badge tone${seat % 8}`} aria-hidden="true">{seat + 1}</i>;

function marks({ next, any, choice = NOTHING, hinted = [], touched }: Drawing, id: string): string {
  return [next.has(id) ? "next" : any.has(id) && "any", choice.touched.includes(id) && "chosen", hinted.includes(id) && "hinted", touched?.has(id) && "fresh"].filter(Boolean).join(" ");
}

const hintNumber = (hinted: readonly string[], id: string) => (hinted.length > 1 && hinted.includes(id) ? hinted.indexOf(id) + 1 : undefined);

function ZoneBox({ zone, corner }: { zone: Zone; corner?: Corner }) {
  const drawing = useContext(Drawn);
  const { below, live, named, touch, faces, look, hinted = [] } = drawing;
  const inner = below.get(zone.id) ?? [];
  // The tile of a place and the place itself are one to the eye.
  const ground = zone.things.find((thing) => thing.shape === Shape.CELL && zone.layout !== Layout.GRID);
  const things = ground && titleOf(ground, faces) === zone.title && !live.has(ground.id) ? zone.things.filter((thing) => thing !== ground) : zone.things;
  const face = ground && faces.get(ground.face);
  const where = corner && { "--x": zone.x - corner.x + 1, "--y": zone.y - corner.y + 1 };
  const title = named(zone.title);
  const pointed = { id: zone.id, title, face, tags: [], note: zone.note };
  const heading = live.has(zone.id) && touch
    ? <button type="button" class="title" data-target={zone.id} aria-pressed={drawing.choice?.touched.includes(zone.id) ?? false} onClick={() => touch(zone.id)} {...pointing(look, pointed)}>{title}</button>
    : <span class="title" {...(face || zone.note ? { ...pointing(look, pointed), tabIndex: -1 } : {})}>{title}</span>;
  const first = cornerOf(inner);
  const content = (
    <>
      {zone.note && <p class="note">{named(zone.note)}</p>}
      {zone.layout === Layout.MAP
        ? <div class="map" style={{ "--columns": Math.max(...inner.map((one) => one.x - first.x + 2), 2) }}>{inner.map((one) => <ZoneBox key={one.id} zone={one} corner={first} />)}</div>
        : <>
            {things.length > 0 && <div class={`things ${LAYOUTS[zone.layout] ?? "row"}`} style={zone.columns ? { "--columns": zone.columns } : undefined}>{things.map((thing) => <ThingBox key={thing.id} thing={thing} owned={zone.seat !== undefined} place={zone.title} />)}</div>}
            {inner.length > 0 && <div class="inner">{inner.filter((one) => !isEmpty(one, below, live)).sort((a, b) => Number(a.seat === drawing.seat) - Number(b.seat === drawing.seat)).map((one) => <ZoneBox key={one.id} zone={one} />)}</div>}
          </>}
    </>
  );
  const number = hintNumber(hinted, zone.id);
  const classes = `zone ${LAYOUTS[zone.layout] ?? "row"} ${zone.seat === undefined ? "" : `tone${zone.seat % 8}`} ${marks(drawing, zone.id)}`;
  if (isReference(zone, live) && !zone.parent) {
    return <details class={classes} data-id={zone.id}><summary><span class="title">{title}</span> <small>{zone.things.reduce((sum, thing) => sum + (thing.amount || 1), 0)}</small></summary>{content}</details>;
  }
  return (
    <div class={classes} style={where} data-id={zone.id} role="group" aria-label={title}>
      <div class="head">{heading}{number && <b class="step">{number}</b>}</div>
      {content}
    </div>
  );
}

const LAYOUTS: Partial<Record<Layout, string>> = { [Layout.ROW]: "row", [Layout.PILE]: "pile", [Layout.GRID]: "grid", [Layout.MAP]: "mapped", [Layout.FACTS]: "facts" };

interface Corner { x: number; y: number }

/** A map begins where its first zone lies; each zone takes two of its columns and rows. */
const cornerOf = (zones: readonly Zone[]): Corner => ({ x: Math.min(...zones.map((zone) => zone.x)), y: Math.min(...zones.map((zone) => zone.y)) });

/** Pointing at something, with the mouse or by the keyboard, shows what it is. */
const pointing = (look: Drawing["look"], what: Omit<Look, "at">) => {
  const show = (event: Event) => { const at = (event.currentTarget as Element).getBoundingClientRect(); look({ ...what, at }); };
  const hide = () => look(undefined);
  return { onMouseEnter: show, onMouseLeave: hide, onFocus: show, onBlur: hide };
};

/** `owned`: the zone says whose it is already · `place`: the zone's title, which its ground need not repeat. */
function ThingBox({ thing, owned, place }: { thing: Thing; owned: boolean; place: string }) {
  const drawing = useContext(Drawn);
  const { faces, live, touch, named, name, look, hinted = [], choice = NOTHING, title, links } = drawing;
  const face = faces.get(thing.face);
  const shape = SHAPES[thing.shape] ?? "fact";
  const hidden = !face && !thing.label && (thing.shape === Shape.CARD || thing.shape === Shape.TOKEN) || (thing.shape === Shape.DIE && thing.value === undefined);
  const attached = (links.get(thing.id) ?? []).map((link) => `${named(link.tag)} ${title.get(link.end) ?? ""}`.trim());
  const said = [
    hidden ? words.faceDown(shape) : titleOf(thing, faces) || (thing.shape === Shape.CELL ? words.empty : ""),
    face && thing.label, thing.value !== undefined && (thing.maximum ? `${thing.value}/${thing.maximum}` : String(thing.value)), thing.amount > 1 && `× ${thing.amount}`,
    thing.seat !== undefined && name(thing.seat), ...thing.tags.map(tagged),
  ].filter((part): part is string => Boolean(part)).map(named).join(", ");
  const classes = `thing ${shape} ${hidden ? "hidden" : ""} ${thing.seat === undefined ? "" : `tone${thing.seat % 8}`} ${marks(drawing, thing.id)} ${thing.amount > 1 ? "many" : ""}`;
  const number = hintNumber(hinted, thing.id);
  const about = pointing(look, { id: thing.id, title: hidden ? words.faceDown(shape) : titleOf(thing, faces), face, tags: thing.tags, note: [thing.note, ...attached].filter(Boolean).join("; ") });
  const inside = (
    <>
      <ThingContent thing={thing} face={face} hidden={hidden} place={place} badge={thing.seat !== undefined && (!owned || thing.shape === Shape.TOKEN) && thing.shape !== Shape.CELL ? <Badge seat={thing.seat} /> : null} />
      {thing.amount > 1 && <small class="amount">×{thing.amount}</small>}
      {number && <b class="step">{number}</b>}
    </>
  );
  // What a picture does not say in letters.
  const unsaid = [
    hidden ? words.faceDown(shape) : thing.shape === Shape.DIE ? String(thing.value) : thing.shape === Shape.CELL && !titleOf(thing, faces) && words.empty,
    thing.seat !== undefined && name(thing.seat),
  ].filter(Boolean).join(", ");
  const style = face?.colour ? { "--colour": face.colour } : undefined;
  if (live.has(thing.id) && touch) {
    return <button type="button" class={classes} style={style} data-id={thing.id} data-target={thing.id} aria-pressed={choice.touched.includes(thing.id)} onClick={() => touch(thing.id)} {...about}>{inside}{unsaid && <span class="unseen"> {unsaid}</span>}</button>;
  }
  const plain = thing.shape === Shape.FACT || thing.shape === Shape.COUNTER;
  return <span class={classes} style={style} data-id={thing.id} tabIndex={-1} role={plain ? undefined : "img"} aria-label={plain ? undefined : said || words.empty} {...(face || thing.note || thing.tags.length || attached.length ? about : {})}>{inside}</span>;
}

const SHAPES: Partial<Record<Shape, string>> = { [Shape.CARD]: "card", [Shape.TOKEN]: "token", [Shape.CELL]: "cell", [Shape.DIE]: "die", [Shape.FACT]: "fact", [Shape.COUNTER]: "counter" };

const tagged = (tag: string) => tag.replaceAll("_", " ");

function ThingContent({ thing, face, hidden, place, badge }: { thing: Thing; face: Face | undefined; hidden: boolean; place: string; badge: ComponentChildren }) {
  const { named, faces } = useContext(Drawn);
  const text = named(titleOf(thing, faces));
  const beside = face && thing.label ? named(thing.label) : "";
  const shown = thing.tags.filter((tag) => tag !== face?.kind);
  const tags = shown.length > 0 && <span class="tags">{shown.map((tag) => <em key={tag}>{tagged(tag)}</em>)}</span>;
  switch (thing.shape) {
    case Shape.DIE:
      return <>{badge}{hidden ? "?" : <Die value={thing.value!} />}{text && <small>{text}</small>}{tags}</>;
    case Shape.COUNTER:
      return <>{badge}<span>{text}</span> <b>{thing.value}{thing.maximum ? <small>/{thing.maximum}</small> : null}</b>{tags}</>;
    case Shape.FACT:
      return <>{text}{thing.value !== undefined && <b> {thing.value}</b>}{tags}</>;
    case Shape.CELL:
      return <>{face && place.includes(face.title) ? "" : text}{beside && <small>{beside}</small>}{thing.value !== undefined && <small>{thing.value}</small>}{tags}</>;
    default:
      return (
        <>
          {badge}
          {face?.cost && <small class="cost">{face.cost.replace(/\D+$/, "") || face.cost}</small>}
          <span class="name">{hidden ? "" : text}</span>
          {beside && <small class="label">{beside}</small>}
          {thing.value !== undefined && <b class="value">{thing.value}{thing.maximum ? <small>/{thing.maximum}</small> : null}</b>}
          {thing.maximum !== undefined && thing.value !== undefined && <i class="bar" style={{ "--share": thing.maximum ? thing.value / thing.maximum : 0 }} />}
          {tags}
        </>
      );
  }
}

const PIPS = ["", "4", "08", "048", "0268", "02468", "023568"];

/** A die of six as it looks; others as a number. */
function Die({ value }: { value: number }) {
  const pips = PIPS[value];
  if (!pips) return <b>{value}</b>;
  return <svg viewBox="0 0 9 9" aria-hidden="true">{[...pips].map((at) => <circle key={at} cx={1.8 + 2.7 * (Number(at) % 3)} cy={1.8 + 2.7 * Math.floor(Number(at) / 3)} r=".85" />)}</svg>;
}

/** A card grows and says its rules. */
function Magnified({ look: { at, title, face, tags, note } }: { look: Look }) {
  const { named, glossary } = useContext(Drawn);
  const [words, below] = [face?.text ?? [], at.top < innerHeight / 2];
  if (!face && !note && !tags.length) return null;
  const left = Math.max(8, Math.min(at.left, innerWidth - 336));
  return (
    <div class="look" role="tooltip" lang="en" style={{ left: `${left}px`, ...(below ? { top: `${at.bottom + 6}px` } : { bottom: `${innerHeight - at.top + 6}px` }) }}>
      <b>{named(title)}</b>{face?.cost && <small> {face.cost}</small>}{face?.kind && <small> {face.kind}</small>}
      {words.map((line) => <p key={line}>{named(line)}</p>)}
      {note && <p>{named(note)}</p>}
      {tags.map((tag) => <p key={tag}><em>{tagged(tag)}</em>{glossary[tag] || glossary[tagged(tag)] ? `: ${glossary[tag] ?? glossary[tagged(tag)]}` : ""}</p>)}
    </div>
  );
}

/** Arrow keys walk over the board: to the nearest thing in that direction. */
function walk(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  const from = (event.target as Element).closest<HTMLElement>("[data-id], [data-target]");
  if (!way || !from) return;
  event.preventDefault();
  event.stopPropagation();
  const centre = (box: DOMRect) => [box.left + box.width / 2, box.top + box.height / 2] as const;
  const [x, y] = centre(from.getBoundingClientRect());
  let [best, least] = [undefined as HTMLElement | undefined, Infinity];
  for (const one of event.currentTarget.querySelectorAll<HTMLElement>(".thing, button.title")) {
    const box = one.getBoundingClientRect();
    if (one === from || !box.width) continue;
    const [dx, dy] = [centre(box)[0] - x, centre(box)[1] - y];
    const along = dx * way[0]! + dy * way[1]!;
    const aside = Math.abs(dx * way[1]!) + Math.abs(dy * way[0]!);
    const far = along + 3 * aside;
    if (along > 4 && far < least) [best, least] = [one, far];
  }
  best?.focus();
}
