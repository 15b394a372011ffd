// The table of a game that has begun, small: as large as it can be seen whole.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { catalog } from "./api";
import { Board } from "./board";
import type { Game } from "./gen/seatmate/v1/catalog_service_pb";
import type { Scene } from "./gen/seatmate/v1/scene_pb";
import { useFaces } from "./live";
import { words } from "./words";

const pictures = new Map<string, Promise<Scene | undefined>>();
const SCALES = [.9, .75, .6, .5, .4, .3];

export function Picture({ game }: { game: Game }) {
  const [scene, setScene] = useState<Scene>();
  const [settings] = useState(() => ({ game: game.name }) as never);
  const { faces } = useFaces(scene && settings);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let found = pictures.get(game.name);
    if (!found) pictures.set(game.name, found = catalog.getPreview({ settings: { game: game.name } }).then((answer) => answer.scene));
    found.then(setScene, () => pictures.delete(game.name));
  }, []);
  useLayoutEffect(() => {
    const [box, board] = [frame.current, frame.current?.firstElementChild as HTMLElement | null];
    if (!box || !board) return;
    for (const scale of SCALES) {
      board.style.setProperty("--scale", String(scale));
      if (board.offsetHeight * scale <= box.clientHeight) break;
    }
  }, [scene, faces]);
  return <div class="picture" aria-hidden="true" inert ref={frame}>{scene && <Board scene={scene} faces={faces} glossary={{}} name={words.seat} named={String} />}</div>;
}
