// A board is drawn a little smaller, or larger, so that it can be seen without scrolling where there is room beside it for the rest.
import { useLayoutEffect, useRef } from "preact/hooks";

/** Windows with the question beside the board; the same words stand in style.css. */
export const BESIDE = matchMedia("(min-width: 60.01rem) and (min-height: 34rem)");

/** From roomy to tight: how large things are drawn, and whether cards on a map become slips with their names. */
const LEVELS = [
  ...[1.6, 1.45, 1.3, 1.15, 1, .94, .9].map((zoom) => ({ zoom, dense: false })), ...[1, .94, .88, .82, .76, .7].map((zoom) => ({ zoom, dense: true })),
];
const PLAIN = LEVELS.findIndex(({ zoom }) => zoom === 1);
const GAP = 8;          // pixels between the parts of a board
const SLACK = .92;      // a board grows again only if it would leave so much: it does not pump from move to move

/** What is wider is taller as well, and cards are taller than slips. */
const weight = ({ zoom, dense }: typeof LEVELS[number]) => zoom * zoom * (dense ? .75 : 1);

/** Fits the board into the scrolled box around it whenever one of `causes` or the window changes. */
export function useFit(board: { current: HTMLElement | null }, causes: readonly unknown[], wanted: boolean): void {
  const level = useRef(PLAIN);
  const failed = useRef(Infinity);        // how tall the board was when it could not grow
  const fit = () => {
    const box = board.current;
    if (!box || !wanted) return;
    const set = (to: number) => {
      level.current = to;
      box.style.zoom = String(LEVELS[to]!.zoom);
      box.classList.toggle("dense", LEVELS[to]!.dense);
    };
    const room = box.parentElement!.clientHeight;
    if (!BESIDE.matches || !room) return set(PLAIN);
    // Without what is left between the parts.
    const height = () => [...box.children].reduce((sum, part) => sum + part.getBoundingClientRect().height + GAP, 0);
    let now = height();
    if (now > room) {
      failed.current = Infinity;
      while (now > room && level.current < LEVELS.length - 1) { set(level.current + 1); now = height(); }
    }
    const grows = () => level.current > 0 && now < SLACK * failed.current && now * weight(LEVELS[level.current - 1]!) <= SLACK * room * weight(LEVELS[level.current]!);
    while (grows()) {
      const before = now;
      set(level.current - 1);
      if ((now = height()) <= room) continue;
      failed.current = now = before;
      set(level.current + 1);
    }
  };
  useLayoutEffect(fit, [...causes, wanted]);
  useLayoutEffect(() => {
    const anew = () => { failed.current = Infinity; fit(); };
    addEventListener("resize", anew);
    return () => removeEventListener("resize", anew);
  }, [wanted]);
}
