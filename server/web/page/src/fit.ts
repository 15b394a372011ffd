// A board is drawn a little smaller, or larger, so that it can be seen without scrolling where there is room beside it for the rest.
import { useLayoutEffect, useRef } from "preact/hooks";

/** Windows with the question beside the board; the same words stand in style.css. */
export const BESIDE = matchMedia("(min-width: 60.01rem) and (min-height: 34rem)");

/** From roomy to tight: how large things are drawn, and whether cards on a map become slips with their names. */
const LEVELS = [
  ...[1.6, 1.45, 1.3, 1.15, 1, .94, .9].map((zoom) => ({ zoom, dense: false })), ...[1, .94, .88, .82, .76, .7].map((zoom) => ({ zoom, dense: true })),
];
const PLAIN = LEVELS.findIndex(({ zoom }) => zoom === 1);
const SLACK = .92;      // a board grows again only if it would leave so much: it does not pump from move to move

/** What is wider is taller as well, and cards are taller than slips. */
const weight = ({ zoom, dense }: typeof LEVELS[number]) => zoom * zoom * (dense ? .75 : 1);

/** Fits the board into the scrolled box around it whenever one of `causes` or the window changes. */
export function useFit(board: { current: HTMLElement | null }, causes: readonly unknown[], wanted: boolean): void {
  const level = useRef(PLAIN);
  const fit = () => {
    const box = board.current;
    if (!box || !wanted) return;
    const set = (to: number) => { level.current = to; box.style.zoom = String(LEVELS[to]!.zoom); box.classList.toggle("dense", LEVELS[to]!.dense); };
    const room = box.parentElement!.clientHeight;
    if (!BESIDE.matches || !room) { set(PLAIN); return; }
    const height = () => box.getBoundingClientRect().height;
    box.style.minHeight = "0";          // as tall as what lies on it
    set(level.current);
    let now = height();
    while (now > room && level.current < LEVELS.length - 1) { set(level.current + 1); now = height(); }
    for (let roomier = level.current - 1; roomier >= 0 && now * weight(LEVELS[roomier]!) <= SLACK * room * weight(LEVELS[level.current]!); roomier--) {
      set(roomier);
      if ((now = height()) > room) { set(roomier + 1); break; }
    }
    box.style.minHeight = "";
  };
  useLayoutEffect(fit, [...causes, wanted]);
  useLayoutEffect(() => {
    addEventListener("resize", fit);
    return () => removeEventListener("resize", fit);
  }, [wanted]);
}
