// What one may do, as buttons: by verb where there are many, narrowed by what has been touched on the board.
import type { Action } from "./gen/seatmate/v1/action_pb";
import type { Hint } from "./hint";
import { byGroup, NOTHING, ON_TABLE, type Choice } from "./scene";
import { words } from "./words";

const MANY = 9;

interface Props {
  actions: readonly Action[];
  shown: readonly Action[];
  choice: Choice;
  choose(choice: Choice): void;
  act(action: Action): void;
  doubtful: Action | undefined;
  back(): void;
  named(text: string): string;
  best: number | undefined;
  waiting: boolean;
  hint: Hint;
}

export function Actions({ actions, shown, choice, choose, act, doubtful, back, named, best, waiting, hint }: Props) {
  // Many answers: one button per verb, and one for those that can be touched on the table as well. All are a click away.
  const fold = shown.length > MANY && !choice.group && !choice.touched.length;
  const plain = shown.filter((one) => fold && one.prominence);
  const groups = byGroup(shown.filter((one) => !plain.includes(one)));
  const chosen = choice.touched.length > 0 || choice.group !== "";
  const button = (action: Action, number: number) => (
    <button type="button" key={action.id} class={`${action.prominence} ${best === action.id ? "best" : ""}`} data-action={action.id} onClick={() => act(action)}>
      {number < 9 && <kbd aria-hidden="true">{number + 1}</kbd>}<span lang="en">{named(action.label)}</span>
    </button>
  );
  return (
    <section class="actions" aria-label={words.actions} aria-busy={waiting}>
      {doubtful
        ? <div class="sure" role="alertdialog" aria-label={words.sure}>
            <b lang="en">{named(doubtful.label)}?</b> <span>{words.sure}</span>
            <button type="button" class="irreversible" data-confirm autofocus onClick={() => act(doubtful)}>{words.yes}</button>
            <button type="button" onClick={back}><kbd aria-hidden="true">Esc</kbd>{words.no}</button>
          </div>
        : fold
          ? [...plain.map((action) => button(action, shown.indexOf(action))), ...groups.map(([group, list]) => list.length > 1 && (group || list.every((one) => one.targets.length))
            ? <button type="button" key={group} class="group" data-group={group} onClick={() => choose({ ...choice, group: group || ON_TABLE })}><span lang={group ? "en" : words.code}>{group || words.onTable}</span> <small>{list.length}</small></button>
            : list.map((action) => button(action, shown.indexOf(action))))]
          : shown.map((action, number) => button(action, number))}
      {chosen && !doubtful && <button type="button" class="quiet" data-back onClick={() => choose(NOTHING)}><kbd aria-hidden="true">Esc</kbd>{words.back}</button>}
      {actions.length > 0 && !doubtful && <button type="button" class="quiet" id="hint" aria-pressed={hint.isThinking} onClick={hint.isThinking ? hint.stop : hint.ask}><kbd aria-hidden="true">H</kbd>{hint.isThinking ? words.stop : words.hint}</button>}
    </section>
  );
}
