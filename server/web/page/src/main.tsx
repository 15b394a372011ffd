// Pages by the part of the address after #: the lobby `/`, a form `/new/GAME`, a table `/tables/ID` (watching) or
// `/tables/ID/seats/N` (playing), each with `@EVENT` for a moment of it, and `/tables/ID/seats/N/join` for a free seat.
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { tokens } from "./api";
import { Join, Lobby, NewTable } from "./lobby";
import { TablePage } from "./table";
import { language, languages, speak, words } from "./words";

const TABLE = /^(tables\/[^/@?]+)(?:\/seats\/(\d+))?(\/join)?(?:@(\d+))?(?:\?(token|invitation)=([^&]+))?$/;

function App() {
  const [path, go] = useState(location.hash.slice(2));
  useEffect(() => {
    const follow = () => go(location.hash.slice(2));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return (
    <>
      <a class="skip" href="#page" onClick={(event) => { event.preventDefault(); document.querySelector<HTMLElement>("main")?.focus(); }}>{words.skip}</a>
      <header>
        <a href="#/">Seatmate</a>
        <label class="language"><span class="unseen">{words.language}</span><select value={language} onChange={(event) => speak(event.currentTarget.value)}>{Object.entries(languages).map(([code, one]) => <option key={code} value={code}>{one.name}</option>)}</select></label>
      </header>
      <Page path={path} />
    </>
  );
}

function Page({ path }: { path: string }) {
  const [, table, seat, join, at, secret, value] = TABLE.exec(path) ?? [];
  if (!table) return path.startsWith("new/") ? <NewTable key={path} id={path.slice(4)} /> : <Lobby />;
  const name = seat === undefined ? table : `${table}/seats/${seat}`;
  if (secret === "token" && value) {        // a seat taken along from another device: kept here, and out of the address
    tokens.keep(name, value);
    history.replaceState(null, "", `#/${name}`);
  }
  if (join) return <Join table={table} seat={name} invitation={value} />;
  return <TablePage key={name} table={table} seat={seat === undefined ? undefined : Number(seat)} at={at === undefined ? undefined : BigInt(at)} />;
}

document.documentElement.lang = words.code;
render(<App />, document.getElementById("page")!);
