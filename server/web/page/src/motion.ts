// Things move instead of jumping (FLIP: first, last, invert, play), and what has just been touched lights up.

const CALM = matchMedia("(prefers-reduced-motion: reduce)");
const MOST = 80;        // more at once is a new table, not a move

/** Where each thing lies. */
export function rectangles(box: HTMLElement): Map<string, DOMRect> {
  return new Map([...box.querySelectorAll<HTMLElement>(".thing[data-id]")].map((one) => [one.dataset["id"]!, one.getBoundingClientRect()]));
}

/** Let everything glide from where it was; returns where it is. */
export function glide(box: HTMLElement, before: ReadonlyMap<string, DOMRect>, touched: ReadonlySet<string> | undefined): Map<string, DOMRect> {
  const now = rectangles(box);
  if (!before.size || CALM.matches) return now;
  const moves = [...box.querySelectorAll<HTMLElement>(".thing[data-id]")].filter((one) => {
    const [was, is] = [before.get(one.dataset["id"]!), now.get(one.dataset["id"]!)!];
    return was ? Math.abs(was.left - is.left) + Math.abs(was.top - is.top) > 2 : touched?.has(one.dataset["id"]!);
  });
  if (moves.length > MOST) return now;
  for (const one of moves) {
    const [was, is] = [before.get(one.dataset["id"]!), now.get(one.dataset["id"]!)!];
    one.animate(was
      ? [{ transform: `translate(${was.left - is.left}px, ${was.top - is.top}px)`, zIndex: 2 }, { transform: "none", zIndex: 2 }]
      : [{ opacity: 0, transform: "scale(.6)" }, { opacity: 1, transform: "none" }], { duration: 260, easing: "cubic-bezier(.2,.7,.3,1)" });
  }
  return now;
}
