// Pages by the part of the address after #: the lobby `/`, a form `/new/GAME`, a table `/tables/ID` (watching) or
// `/tables/ID/seats/N` (playing), each with `@EVENT` for a moment of it, `/tables/ID/seats/N/join` for a free seat, and the owner's
// tournaments `/tournaments`, each with its report `/tournaments/ID`. There is no other page.
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { bearer, explain, isLost, pause, tables, tokens } from "./api";
import { Join, Lobby, NewTable } from "./lobby";
import { TablePage } from "./table";
import { TournamentPage, Tournaments } from "./tournaments";
import { language, languages, speak, words } from "./words";

const LOBBY = /^(#\/?)?$/;
const NEW = /^#\/new\/([^/?@]+)$/;
const TABLE = /^#\/(tables\/[^/@?]+)(?:\/seats\/(\d+))?(\/join)?(?:@(\d+))?(?:\?(token|invitation)=([^&]+))?$/;
const TOURNAMENT = /^#\/(tournaments)(?:\/([^/?@]+))?$/;

function App() {
  const [path, go] = useState(location.hash);
  useEffect(() => {
    const follow = () => go(location.hash);
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
  if (LOBBY.test(path)) return <Lobby />;
  const game = NEW.exec(path)?.[1];
  if (game) return <NewTable key={game} id={game} />;
  const [, tournaments, one] = TOURNAMENT.exec(path) ?? [];
  if (tournaments) return one ? <TournamentPage key={one} name={`tournaments/${one}`} /> : <Tournaments />;
  const [, table, seat, join, at, secret, value] = TABLE.exec(path) ?? [];
  if (!table) return <main><p role="alert" class="failed">{words.noPage} {path}</p><p><a href="#/">{words.lobby}</a></p></main>;
  const name = seat === undefined ? table : `${table}/seats/${seat}`;
  if (value && !join) return <TakeAlong key={name} page={name} as={secret === "token" ? name : `${table}/invitation`} token={value} />;
  if (join) return <Join table={table} seat={name} invitation={value} />;
  return <TablePage key={name} table={table} seat={seat === undefined ? undefined : Number(seat)} at={at === undefined ? undefined : BigInt(at)} />;
}

/** A seat from another device, or an invitation to watch: the token is kept here once the service knows it, and leaves the address then: a page that is loaded again meanwhile has it still. */
function TakeAlong({ page, as, token }: { page: string; as: string; token: string }) {
  const [failed, setFailed] = useState("");
  useEffect(() => {
    const ask = () => void tables.getObservation({ observer: page }, bearer(token)).then(() => {
      tokens.keep(as, token);
      location.replace(`#/${page}`);
    }, (error) => {
      if (isLost(error)) return void pause(1000).then(ask);
      history.replaceState(null, "", `#/${page}`);    // no link to give to anybody
      setFailed(explain(error));
    });
    ask();
  }, []);
  return <main>{failed ? <p role="alert" class="failed">{failed} {tokens.of(as) ? <a href={`#/${page}`} onClick={() => dispatchEvent(new HashChangeEvent("hashchange"))}>{words.goOn}</a> : <a href="#/">{words.lobby}</a>}</p> : <p role="status">{words.connecting}</p>}</main>;
}

document.documentElement.lang = words.code;
render(<App />, document.getElementById("page")!);
