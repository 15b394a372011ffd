// What a board is drawn from, and which of its zones have to be drawn again.
import { createContext } from "preact";
import type { Action } from "./gen/seatmate/v1/action_pb";
import type { Face, Link, Scene, Zone } from "./gen/seatmate/v1/scene_pb";
import { children, NOTHING, titles, touchable, type Choice, type Faces } from "./scene";

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
  /** Is it a moment that is over? */
  past?: boolean;
  actions?: readonly Action[];
  choice?: Choice;
  touch?(id: string): void;
  /** Ids of a hint, in the order in which they would be touched. */
  hinted?: readonly string[];
  /** Ids that the last events were about. */
  touched?: ReadonlySet<string>;
  /** Is it to fit into its box without scrolling? */
  fits?: boolean;
}

/** What somebody points at, and where. */
export interface Look { id: string; at: DOMRect; title: string; face?: Face | undefined; tags: readonly string[]; note: string }

/** One for each board, and the same object for as long as it lives: a zone looks into it when it is drawn or touched. */
export interface Drawing extends BoardProps {
  below: Map<string, Zone[]>;
  /** For which ids there is an answer, which come next, and which may be touched now. */
  live: ReadonlySet<string>;
  next: ReadonlySet<string>;
  any: ReadonlySet<string>;
  title: ReadonlyMap<string, string>;
  links: ReadonlyMap<string, Link[]>;
  /** By zone; another number means that the zone, or one in it, has to be drawn again. */
  version: ReadonlyMap<string, number>;
  look(one: Look | undefined): void;
}

export const Drawn = createContext<Drawing>(undefined as never);

/** What follows from what a board is given. */
export function derived({ scene, faces, actions = [], choice = NOTHING }: BoardProps) {
  return {
    below: children(scene), title: titles(scene, faces), links: linked(scene), ...touchable(actions, choice),
    live: new Set(actions.flatMap((action) => action.targets)),
  };
}

function linked(scene: Scene): Map<string, Link[]> {
  const links = new Map<string, Link[]>();
  for (const link of scene.links) links.set(link.start, [...(links.get(link.start) ?? []), link]);
  return links;
}

/** How an id looks besides what it is: classes of CSS. */
export function marks({ live, next, any, choice = NOTHING, hinted = [], touched }: Drawing, id: string): string {
  return [live.has(id) && "live", next.has(id) ? "next" : any.has(id) && "any", choice.touched.includes(id) && "chosen", hinted.includes(id) && "hinted", touched?.has(id) && "fresh"].filter(Boolean).join(" ");
}

export const hintNumber = ({ hinted = [] }: Drawing, id: string) => (hinted.length > 1 && hinted.includes(id) ? hinted.indexOf(id) + 1 : undefined);

/** Compares drawings one after the other. */
export class Versions {
  readonly of = new Map<string, number>();
  #state = new Map<string, unknown[]>();
  #common: unknown[] = [];
  #count = 0;

  /** Whatever differs from the drawing before gets a new number. */
  update(drawing: Drawing): void {
    const { scene, faces, glossary, seat, name, named, touch, title, below } = drawing;
    const common = [faces, glossary, seat, name, named, !touch, scene.links.map(({ start, end, tag }) => [start, end, tag, title.get(end)])];
    if (!equal(common, this.#common)) this.#state.clear();
    this.#common = common;
    const look = (id: string) => `${marks(drawing, id)} ${hintNumber(drawing, id)}`;
    const visit = (zone: Zone): number => {
      const state = [zone, look(zone.id), zone.things.map((thing) => look(thing.id)), (below.get(zone.id) ?? []).map(visit)];
      if (!equal(state, this.#state.get(zone.id))) this.of.set(zone.id, ++this.#count);
      this.#state.set(zone.id, state);
      return this.of.get(zone.id)!;
    };
    for (const zone of below.get("") ?? []) visit(zone);
  }
}

/** Of plain values and messages; anything else is equal to itself alone. */
function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || !a || !b || a instanceof Map) return false;
  const [ours, theirs] = [Object.entries(a), b as Record<string, unknown>];
  return ours.length === Object.keys(b).length && ours.every(([key, value]) => equal(value, theirs[key]));
}

/** Pointing at something, with the mouse or by the keyboard, shows what it is. */
export const pointing = (look: Drawing["look"], what: Omit<Look, "at">) => {
  const show = (event: Event) => { const at = (event.currentTarget as Element).getBoundingClientRect(); look({ ...what, at }); };
  const hide = () => look(undefined);
  return { onMouseEnter: show, onMouseLeave: hide, onFocus: show, onBlur: hide };
};

export const tagged = (tag: string) => tag.replaceAll("_", " ");
