// Draws any scene: places, what lies in them, what may be touched, what a hint says and what has just happened.
import { useContext, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { derived, Drawn, tagged, Versions, type BoardProps, type Drawing, type Look } from "./drawing";
import { useFit } from "./fit";
import { Zone_Layout as Layout, type Zone } from "./gen/seatmate/v1/scene_pb";
import { glide, rectangles } from "./motion";
import { Badge } from "./thing";
import { words } from "./words";
import { isEmpty, ZoneBox } from "./zone";

export function Board(props: BoardProps) {
  const { scene, faces, actions, choice } = props;
  const box = useRef<HTMLDivElement>(null);
  const [looked, look] = useState<Look>();
  const [versions] = useState(() => new Versions());
  const [drawing] = useState<Drawing>(() => ({ ...props, ...derived(props), look, version: versions.of }));
  const parts = useMemo(() => {
    Object.assign(drawing, props, derived(props));
    versions.update(drawing);
    return arrange(drawing);
  }, [scene, faces, actions, choice, props.hinted, props.touched, props.asked, props.past, props.named, props.touch]);
  useFit(box, [scene, faces, actions], props.fits ?? false);

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

  const { others, centre, strip, mine, beside } = parts;
  return (
    <Drawn.Provider value={drawing}>
      <div class="board" ref={box} onKeyDown={walk} lang="en">
        {others.length > 0 && <div class={`others ${centre.length ? "seated" : ""}`}>{others.map(([seat, zones]) => <SeatPanel key={seat} seat={seat} zones={zones} />)}</div>}
        {centre.length + strip.length > 0 && <div class={`middle ${centre.length ? "big" : ""}`}>
          {centre.map((zone) => <ZoneBox key={zone.id} zone={zone} />)}
          {strip.length > 0 && <div class={centre.length ? "strip" : "rows"}>{strip.map((zone) => <ZoneBox key={zone.id} zone={zone} />)}</div>}
        </div>}
        {mine.map(([seat, zones]) => <SeatPanel key={seat} seat={seat} zones={zones} mine />)}
        {beside.length > 0 && <div class="beside">{beside.map((zone) => <ZoneBox key={zone.id} zone={zone} />)}</div>}
      </div>
      {looked && <Magnified look={looked} />}
    </Drawn.Provider>
  );
}

/** Opponents above, the board and what lies around it in the middle, oneself below; aside what is looked up, unless an answer is about it. */
function arrange({ below, seat, live }: Drawing) {
  const seats = new Map<number, Zone[]>();
  const [centre, strip, beside]: [Zone[], Zone[], Zone[]] = [[], [], []];
  const aim = (zone: Zone): boolean => live.has(zone.id) || zone.things.some((thing) => live.has(thing.id)) || (below.get(zone.id) ?? []).some(aim);
  for (const zone of below.get("") ?? []) {
    if (isEmpty(zone, below, live)) continue;
    if (zone.seat !== undefined) seats.set(zone.seat, [...(seats.get(zone.seat) ?? []), zone]);
    else (zone.aside && !aim(zone) ? beside : zone.layout === Layout.MAP || zone.layout === Layout.GRID ? centre : strip).push(zone);
  }
  const all = [...seats].sort(([a], [b]) => a - b);
  return { others: all.filter(([one]) => one !== seat), mine: all.filter(([one]) => one === seat), centre, strip, beside };
}

function SeatPanel({ seat, zones, mine = false }: { seat: number; zones: Zone[]; mine?: boolean }) {
  const { name, asked = [], past } = useContext(Drawn);
  return (
    <section class={`seat ${mine ? "mine" : ""} ${asked.includes(seat) ? "asked" : ""}`} aria-label={name(seat)} data-seat={seat}>
      <h2 class="owner"><Badge seat={seat} /> <span>{name(seat)}</span>{asked.includes(seat) && <small>{past ? words.wasToAct(1) : words.toAct}</small>}</h2>
      <div class="zones">{zones.map((zone) => <ZoneBox key={zone.id} zone={zone} />)}</div>
    </section>
  );
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
