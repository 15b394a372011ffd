// Tournaments of bots at this server: those of the owner whose token this browser has, how far they are, and their reports.
import { useEffect, useState } from "preact/hooks";
import { bearer, explain, isMissing, isNoEntry, pause, tournaments } from "./api";
import { type Tournament, TournamentState as State } from "./gen/seatmate/v1/tournament_service_pb";
import { words } from "./words";

/** The owner's token is kept by this browser. */
export const owner = {
  get token() { return localStorage.getItem("seatmate-tournaments") ?? ""; },
  set token(token: string) { localStorage.setItem("seatmate-tournaments", token.trim()); },
};

const LOOK_MS = 2000;
const explained = (error: unknown) => (isNoEntry(error) ? words.notTheirOwner : isMissing(error) ? words.playsNone : explain(error));
const goesOn = (one: Tournament) => one.state === State.WAITING || one.state === State.RUNNING;

/** Ask again and again while `again` says so of the answer. Returns what ends it. */
function look<T>(ask: () => Promise<T>, take: (answer: T) => void, again: (answer: T) => boolean, fail: (text: string) => void): () => void {
  let stopped = false;
  void (async () => {
    for (let go = true; go && !stopped; ) {
      try {
        const answer = await ask();
        if (stopped) return;
        take(answer); fail("");
        go = again(answer);
      } catch (error) {
        if (stopped) return;
        fail(explained(error));
        go = !isNoEntry(error) && !isMissing(error);
      }
      if (go) await pause(LOOK_MS);
    }
  })();
  return () => { stopped = true; };
}

/** The list, and a field for the token. */
export function Tournaments() {
  const [token, setToken] = useState(owner.token);
  const [typed, type] = useState("");
  const [found, setFound] = useState<Tournament[]>();
  const [failed, setFailed] = useState("");
  useEffect(() => { document.title = `${words.tournaments} – Seatmate`; }, []);
  useEffect(() => {
    setFound(undefined); setFailed("");
    if (token) return look(() => tournaments.listTournaments({ pageSize: 100 }, bearer(token)), (answer) => { owner.token = token; setFound(answer.tournaments); }, (answer) => answer.tournaments.some(goesOn), setFailed);
  }, [token]);
  return (
    <main class="tournaments">
      <h1>{words.tournaments}</h1>
      {failed && <p role="alert" class="failed">{failed}</p>}
      <form onSubmit={(event) => { event.preventDefault(); setToken(typed.trim()); type(""); }}>
        <label>{words.ownersToken} <input name="token" type="password" autocomplete="off" required value={typed} onInput={(event) => type(event.currentTarget.value)} /></label> <button>{words.showThem}</button>
      </form>
      {found && <ul class="tables">{found.map((one) => (
        <li key={one.name} data-tournament={one.name}><a href={`#/${one.name}`}>{one.bots.join(", ")}</a> <small><HowFar one={one} /></small></li>
      ))}</ul>}
    </main>
  );
}

const HowFar = ({ one }: { one: Tournament }) => <>{words.tournamentStates[one.state]}, {words.gamesOf(one.gamesPlayed, one.gameTotal)}{one.failure && <>: <span lang="en">{one.failure}</span></>}</>;

interface Section { key: string; title: string; text: string; columns: string[]; rows: string[][]; names: number }
interface Report { title: string; facts: string; sections: Section[] }

/** One tournament with its report so far. */
export function TournamentPage({ name }: { name: string }) {
  const [one, setOne] = useState<Tournament>();
  const [report, setReport] = useState<Report>();
  const [failed, setFailed] = useState("");
  const fetched = async (format: string) => (await tournaments.getTournamentReport({ name, format }, bearer(owner.token))).text;
  const read = () => void fetched("tables").then((text) => setReport(JSON.parse(text) as Report), (error) => setFailed(explained(error)));
  const save = () => void fetched("html").then((text) => {
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([text], { type: "text/html" })), download: `${name.replace("/", "-")}.html` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }, (error) => setFailed(explained(error)));
  useEffect(() => look(() => tournaments.getTournament({ name }, bearer(owner.token)), (answer) => { setOne(answer); if (!goesOn(answer)) read(); }, goesOn, setFailed), []);
  useEffect(() => { document.title = `${report?.title ?? words.tournaments} – Seatmate`; }, [report]);
  return (
    <main class="tournaments">
      <p><a href="#/tournaments">{words.tournaments}</a></p>
      <h1 lang={report && "en"}>{report?.title ?? words.tournaments}</h1>
      {failed && <p role="alert" class="failed">{failed}</p>}
      {one && <p role="status"><HowFar one={one} /></p>}
      {one && <p><button type="button" onClick={read}>{words.reportSoFar}</button> <button type="button" onClick={save}>{words.saveReport}</button></p>}
      {report && <div lang="en"><p>{report.facts}</p>{report.sections.map((section) => <ReportSection key={section.key} section={section} />)}</div>}
    </main>
  );
}

function ReportSection({ section: { key, title, text, columns, rows, names } }: { section: Section }) {
  const kind = (column: number) => (column < names ? "name" : undefined);
  return (
    <section id={`report-${key}`}>
      <h2>{title}</h2>
      <p>{text}</p>
      <div class="wide" role="region" aria-label={title} tabIndex={0}><table>
        <thead><tr>{columns.map((one, column) => (one ? <th key={column} class={kind(column)} scope="col">{one}</th> : <td key={column} />))}</tr></thead>
        <tbody>{rows.map((row, number) => <tr key={number}>{row.map((one, column) => <td key={column} class={kind(column)}>{one}</td>)}</tr>)}</tbody>
      </table></div>
    </section>
  );
}
