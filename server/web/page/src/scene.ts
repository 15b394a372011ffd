// What a table shows, whatever the game: a scene's zones and things by id, and which answers fit what a person has touched.
import type { Action } from "./gen/seatmate/v1/action_pb";
import type { Face, Scene, Thing, Zone } from "./gen/seatmate/v1/scene_pb";

export type Faces = ReadonlyMap<string, Face>;

/** Zones below each zone, "" for those of the table itself. */
export function children(scene: Scene): Map<string, Zone[]> {
  const below = new Map<string, Zone[]>();
  for (const zone of scene.zones) {
    const known = below.get(zone.parent);
    if (known) known.push(zone); else below.set(zone.parent, [zone]);
  }
  return below;
}

/** The words of a thing: its face's title, its own label, or nothing for a hidden one. */
export const titleOf = (thing: Thing, faces: Faces) => faces.get(thing.face)?.title || thing.label;

/** Name of every id in the scene, for labels and sentences. */
export function titles(scene: Scene, faces: Faces): Map<string, string> {
  return new Map(scene.zones.flatMap((zone) => [[zone.id, zone.title] as const, ...zone.things.map((thing) => [thing.id, titleOf(thing, faces) || zone.title] as const)]));
}

/** What a person has chosen so far: things touched, in order, and a verb. */
export interface Choice { touched: readonly string[]; group: string }
export const NOTHING: Choice = { touched: [], group: "" };

/** Stands for the answers without a verb. */
export const ON_TABLE = "\0";

/** The answers that are about everything chosen so far. */
export const fitting = (actions: readonly Action[], { touched, group }: Choice) =>
  actions.filter((action) => (!group || action.group === (group === ON_TABLE ? "" : group)) && touched.every((id) => action.targets.includes(id)));

/** The ids that would come next in the order in which an answer is given, and all that may be touched at all. */
export function touchable(actions: readonly Action[], choice: Choice): { next: Set<string>; any: Set<string> } {
  const next = new Set<string>();
  const any = new Set<string>();
  for (const action of fitting(actions, choice)) {
    const left = action.targets.filter((id) => !choice.touched.includes(id));
    if (left[0] !== undefined) next.add(left[0]);
    for (const id of left) any.add(id);
  }
  return { next, any };
}

/** One more touch: a choice to go on with, or the only answer left. */
export function touch(actions: readonly Action[], choice: Choice, id: string): Choice | Action {
  if (choice.touched.includes(id)) return { ...choice, touched: choice.touched.filter((one) => one !== id) };
  let next: Choice = { ...choice, touched: [...choice.touched, id] };
  let left = fitting(actions, next);
  if (!left.length) left = fitting(actions, (next = { touched: [id], group: choice.group }));
  if (!left.length) left = fitting(actions, (next = { touched: [id], group: "" }));
  return left.length === 1 ? left[0]! : next;
}

export const isAction = (one: Choice | Action): one is Action => "id" in one;

const MANY = 9;
const ORDER = ["primary", "", "pass", "irreversible"];      // of prominence

/** A button: one answer, or a verb that several share. */
export type Offer = { action: Action } | { group: string; answers: readonly Action[] };

/**
 * The buttons, in their order. Where there are many answers there is one button per verb, and one for those that can be touched on the
 * table as well: all are a click away. The usual answer comes first; what passes, or costs much, last.
 */
export function offers(shown: readonly Action[], choice: Choice): Offer[] {
  const rank = ({ prominence }: Action) => ORDER.indexOf(prominence);
  const single = [...shown].sort((a, b) => rank(a) - rank(b));
  if (shown.length <= MANY || choice.group || choice.touched.length) return single.map((action) => ({ action }));
  const groups = new Map<string, Action[]>();
  for (const action of single) if (!action.prominence) groups.set(action.group, [...(groups.get(action.group) ?? []), action]);
  const folded = [...groups].flatMap(([group, answers]): Offer[] => (answers.length > 1 && (group || answers.every((one) => one.targets.length))
    ? [{ group: group || ON_TABLE, answers }] : answers.map((action) => ({ action }))));
  const [first, last] = [single.filter((action) => action.prominence === "primary"), single.filter((action) => ORDER.indexOf(action.prominence) > 1)];
  return [...first.map((action) => ({ action })), ...folded, ...last.map((action) => ({ action }))];
}
