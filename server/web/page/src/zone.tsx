// A place on the board with all that lies in it. It is drawn again when something of it has changed.
import { useContext, useMemo } from "preact/hooks";
import { Drawn, hintNumber, marks, pointing, type Drawing } from "./drawing";
import { Thing_Shape as Shape, Zone_Layout as Layout, type Thing, type Zone } from "./gen/seatmate/v1/scene_pb";
import { titleOf } from "./scene";
import { Badge, ThingBox } from "./thing";

interface Corner { x: number; y: number }

export function ZoneBox({ zone, corner }: { zone: Zone; corner?: Corner }) {
  const drawing = useContext(Drawn);
  return useMemo(() => draw(drawing, zone, corner), [zone.id, drawing.version.get(zone.id), corner?.x, corner?.y]);
}

function draw(drawing: Drawing, zone: Zone, corner: Corner | undefined) {
  const { below, live, named, touch, faces, look } = drawing;
  const inner = below.get(zone.id) ?? [];
  // The tile of a place and the place itself are one to the eye.
  const ground = zone.things.find((thing) => thing.shape === Shape.CELL && zone.layout !== Layout.GRID);
  const things = ground && titleOf(ground, faces) === zone.title && !live.has(ground.id) ? zone.things.filter((thing) => thing !== ground) : zone.things;
  const face = ground && faces.get(ground.face);
  const where = corner && { "--x": zone.x - corner.x + 1, "--y": zone.y - corner.y + 1 };
  const title = named(zone.title);
  const pointed = { id: zone.id, title, face, tags: [], note: zone.note };
  const heading = live.has(zone.id) && touch
    ? <button type="button" class="title" data-target={zone.id} aria-pressed={drawing.choice?.touched.includes(zone.id) ?? false} onClick={() => drawing.touch?.(zone.id)} {...pointing(look, pointed)}>{title}</button>
    : <span class="title" {...(face || zone.note ? { ...pointing(look, pointed), tabIndex: -1 } : {})}>{title}</span>;
  const first = cornerOf(inner);
  const content = (
    <>
      {zone.note && <p class="note">{named(zone.note)}</p>}
      {zone.layout === Layout.MAP
        ? <div class={`map ${inner.every((one) => one.y === first.y) ? "line" : inner.some((one) => one.layout === Layout.MAP) ? "tiles" : ""}`} style={{ "--columns": Math.max(...inner.map((one) => one.x - first.x + 2), 2) }}>{inner.map((one) => <ZoneBox key={one.id} zone={one} corner={first} />)}</div>
        : <>
            {things.length > 0 && <div class={`things ${LAYOUTS[zone.layout] ?? "row"}`} style={zone.columns ? { "--columns": zone.columns } : undefined}>{things.map((thing) => <ThingBox key={thing.id} thing={thing} owned={zone.seat !== undefined} place={zone.title} />)}</div>}
            {inner.length > 0 && <div class="inner">{inner.filter((one) => !isEmpty(one, below, live)).sort((a, b) => Number(a.seat === drawing.seat) - Number(b.seat === drawing.seat)).map((one) => <ZoneBox key={one.id} zone={one} />)}</div>}
          </>}
    </>
  );
  const number = hintNumber(drawing, zone.id);
  const classes = `zone ${LAYOUTS[zone.layout] ?? "row"} ${needsNoTitle(drawing, zone, inner, things) ? "small" : ""} ${things.some((one) => one.shape === Shape.COUNTER) ? "counted" : ""} ${zone.seat === undefined ? "" : `tone${zone.seat % 8}`} ${marks(drawing, zone.id)}`;
  if (!zone.parent && isReference(zone, live)) {
    return <details class={classes} data-id={zone.id}><summary><small>{zone.things.reduce((sum, thing) => sum + (thing.amount || 1), 0)}</small> <span class="title">{title}</span></summary>{content}</details>;
  }
  return (
    <div class={classes} style={where} data-id={zone.id} role="group" aria-label={title}>
      <div class="head">{zone.parent && zone.seat !== undefined && <Badge seat={zone.seat} />}{heading}{number && <b class="step">{number}</b>}</div>
      {content}
    </div>
  );
}

const LAYOUTS: Partial<Record<Layout, string>> = { [Layout.ROW]: "row", [Layout.PILE]: "pile", [Layout.GRID]: "grid", [Layout.MAP]: "mapped", [Layout.FACTS]: "facts" };

const SMALL = new Set([Shape.COUNTER, Shape.FACT, Shape.TOKEN]);

/** What lies there says it in words of its own, or whose it is says it. */
const needsNoTitle = ({ live, name, named }: Drawing, zone: Zone, inner: readonly Zone[], things: readonly Thing[]) =>
  zone.seat !== undefined && !live.has(zone.id) && ((!inner.length && things.every((one) => SMALL.has(one.shape))) || named(zone.title) === name(zone.seat));

/** A map begins where its first zone lies; each zone takes two of its columns and rows. */
const cornerOf = (zones: readonly Zone[]): Corner => ({ x: Math.min(...zones.map((zone) => zone.x)), y: Math.min(...zones.map((zone) => zone.y)) });

export const isEmpty = (zone: Zone, below: Map<string, Zone[]>, live: ReadonlySet<string>): boolean =>
  !zone.things.length && !zone.note && !live.has(zone.id) && zone.layout !== Layout.GRID &&
  (zone.layout === Layout.MAP ? !below.get(zone.id)?.length : (below.get(zone.id) ?? []).every((one) => isEmpty(one, below, live)));

/** Something to look things up in, such as the cards not seen yet: folded until somebody opens it. */
const isReference = ({ id, aside, layout, things }: Zone, live: ReadonlySet<string>) =>
  !live.has(id) && !things.some((thing) => live.has(thing.id)) &&
  (aside || (layout === Layout.ROW && things.length > 4 && things.every((thing) => thing.shape === Shape.CARD && thing.seat === undefined)));
