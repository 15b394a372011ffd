// A thing on the board: a card, a token, a cell, a die, words or a number.
import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { Drawn, hintNumber, marks, pointing, tagged } from "./drawing";
import { Thing_Shape as Shape, type Face, type Thing } from "./gen/seatmate/v1/scene_pb";
import { NOTHING, titleOf } from "./scene";
import { words } from "./words";

/** Whose a thing is, by colour and number. */
export const Badge = ({ seat }: { seat: number }) => <i class={`badge tone${seat % 8}`} aria-hidden="true">{seat + 1}</i>;

/** `owned`: the zone says whose it is already · `place`: the zone's title, which its ground need not repeat. */
export function ThingBox({ thing, owned, place }: { thing: Thing; owned: boolean; place: string }) {
  const drawing = useContext(Drawn);
  const { faces, live, touch, named, name, look, choice = NOTHING, title, links } = drawing;
  const face = faces.get(thing.face);
  const shape = SHAPES[thing.shape] ?? "fact";
  const hidden = !face && !thing.label && (thing.shape === Shape.CARD || thing.shape === Shape.TOKEN) || (thing.shape === Shape.DIE && thing.value === undefined);
  const attached = (links.get(thing.id) ?? []).map((link) => `${named(link.tag)} ${title.get(link.end) ?? ""}`.trim());
  const said = [
    hidden ? words.faceDown(shape) : titleOf(thing, faces) || (thing.shape === Shape.CELL ? words.empty : ""),
    face && thing.label, thing.value !== undefined && (thing.maximum ? `${thing.value}/${thing.maximum}` : String(thing.value)), thing.amount > 1 && `× ${thing.amount}`,
    thing.seat !== undefined && name(thing.seat), ...thing.tags.map(tagged),
  ].filter((part): part is string => Boolean(part)).map(named).join(", ");
  const classes = `thing ${shape} ${hidden ? "hidden" : ""} ${thing.seat === undefined ? "" : `owned tone${thing.seat % 8}`} ${marks(drawing, thing.id)} ${thing.amount > 1 ? "many" : ""}`;
  const number = hintNumber(drawing, thing.id);
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
    return <button type="button" class={classes} style={style} data-id={thing.id} data-target={thing.id} aria-pressed={choice.touched.includes(thing.id)} onClick={() => drawing.touch?.(thing.id)} {...about}>{inside}{unsaid && <span class="unseen"> {unsaid}</span>}</button>;
  }
  const plain = thing.shape === Shape.FACT || thing.shape === Shape.COUNTER;
  return <span class={classes} style={style} data-id={thing.id} tabIndex={-1} role={plain ? undefined : "img"} aria-label={plain ? undefined : said || words.empty} {...(face || thing.note || thing.tags.length || attached.length ? about : {})}>{inside}</span>;
}

const SHAPES: Partial<Record<Shape, string>> = { [Shape.CARD]: "card", [Shape.TOKEN]: "token", [Shape.CELL]: "cell", [Shape.DIE]: "die", [Shape.FACT]: "fact", [Shape.COUNTER]: "counter" };
function ThingContent({ thing, face, hidden, place, badge }: { thing: Thing; face: Face | undefined; hidden: boolean; place: string; badge: ComponentChildren }) {
  const { named, faces } = useContext(Drawn);
  const text = named(titleOf(thing, faces));
  const beside = face && thing.label ? named(thing.label) : "";
  const shown = thing.tags.filter((tag) => tag !== face?.kind && !(hidden && tag === "hidden"));
  const tags = shown.length > 0 && <span class="tags">{shown.map((tag) => <em key={tag}>{tagged(tag)}</em>)}</span>;
  switch (thing.shape) {
    case Shape.DIE:
      return <>{badge}{hidden ? "?" : <Die value={thing.value!} />}{text && text !== place && <small>{text}</small>}{tags}</>;
    case Shape.COUNTER:
      return <>{badge}<span>{text}</span> <b>{thing.value}{thing.maximum ? <small>/{thing.maximum}</small> : null}</b>{tags}</>;
    case Shape.FACT:
      return <>{text}{thing.value !== undefined && <b> {thing.value}</b>}{tags}</>;
    case Shape.CELL:
      return <>{face && place.includes(face.title) ? "" : text}{beside && <small>{beside}</small>}{thing.value !== undefined && <b class="on">{thing.value}</b>}{tags}</>;
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
