// What one may do, as buttons: by verb where there are many, narrowed by what has been touched on the board.
import { useEffect, useRef } from "preact/hooks";
import type { Action } from "./gen/seatmate/v1/action_pb";
import type { Hint } from "./hint";
import { NOTHING, ON_TABLE, type Choice, type Offer } from "./scene";
import { words } from "./words";

interface Props {
  actions: readonly Action[];
  offered: readonly Offer[];
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

export function Actions({ actions, offered, choice, choose, act, doubtful, back, named, best, waiting, hint }: Props) {
  const chosen = choice.touched.length > 0 || choice.group !== "";
  const key = (number: number) => number < 9 && <kbd aria-hidden="true">{number + 1}</kbd>;
  const button = (offer: Offer, number: number) => ("action" in offer
    ? <button type="button" key={offer.action.id} class={`${offer.action.prominence} ${best === offer.action.id ? "best" : ""}`} data-action={offer.action.id} onClick={() => act(offer.action)}>{key(number)}<span lang="en">{named(offer.action.label)}</span></button>
    : <button type="button" key={offer.group} class="group" data-group={offer.group} onClick={() => choose({ ...choice, group: offer.group })}>{key(number)}{offer.group === ON_TABLE ? words.onTable : <span lang="en">{offer.group}</span>} <small>{offer.answers.length}</small></button>);
  // Whoever acts by the keyboard stays here when the pressed button is gone.
  const box = useRef<HTMLElement>(null);
  useEffect(() => { if (document.activeElement === document.body) box.current?.focus({ preventScroll: true }); }, [actions]);
  return (
    <section class="actions" ref={box} tabIndex={-1} aria-label={words.actions} aria-busy={waiting}>
      {doubtful
        ? <div class="sure" role="alertdialog" aria-label={words.sure}>
            <b lang="en">{named(doubtful.label)}?</b> <span>{words.sure}</span>
            <button type="button" class="irreversible" data-confirm autofocus onClick={() => act(doubtful)}>{words.yes}</button>
            <button type="button" onClick={back}><kbd aria-hidden="true">Esc</kbd>{words.no}</button>
          </div>
        : offered.map(button)}
      {chosen && !doubtful && <button type="button" class="quiet" data-back onClick={() => choose(NOTHING)}><kbd aria-hidden="true">Esc</kbd>{words.back}</button>}
      {actions.length > 0 && !doubtful && <button type="button" class="quiet" id="hint" aria-pressed={hint.isThinking} onClick={hint.isThinking ? hint.stop : hint.ask}><kbd aria-hidden="true">H</kbd>{hint.isThinking ? words.stop : words.hint}</button>}
    </section>
  );
}
