// Writes src/gen, the API as TypeScript, from the protos of this repository: `npm run protos` (needs Python with grpcio-tools).
//
// The games' own parts of an observation are left out: the page draws scenes and knows no game, so nobody has to load them.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const page = import.meta.dirname;
const protos = resolve(page, "../../../proto/seatmate/v1");
const target = join(page, "src/gen");
const folder = mkdtempSync(join(tmpdir(), "protos-"));
const python = (...args) => execFileSync("python", args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();

/** observation.proto without the oneof of the games' own messages. */
function withoutViews(text) {
  const cut = text.replace(/\n  \/\/ The game's own part\.\n  oneof view \{[^]*?\n  \}\n/, "\n");
  if (cut === text) throw new Error("observation.proto has no oneof of the games' own parts where this script looks for it");
  return cut.replace(/import "seatmate\/v1\/\w+_observation\.proto";\n|import "google\/protobuf\/struct\.proto";\n/g, "");
}

try {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  mkdirSync(join(folder, "seatmate/v1"), { recursive: true });
  const names = readdirSync(protos).filter((name) => name.endsWith(".proto") && !name.endsWith("_observation.proto")).sort();
  for (const name of names) {
    const text = readFileSync(join(protos, name), "utf8");
    writeFileSync(join(folder, "seatmate/v1", name), name === "observation.proto" ? withoutViews(text) : text);
  }
  const google = python("-c", "import google.rpc, pathlib; print(pathlib.Path(list(google.rpc.__path__)[0]).parents[1])");
  python("-m", "grpc_tools.protoc", `-I${folder}`, `-I${google}`, `--plugin=protoc-gen-es=${join(page, "node_modules/.bin/protoc-gen-es")}`,
    `--es_out=${target}`, "--es_opt=target=ts,import_extension=none", ...names.map((name) => `seatmate/v1/${name}`), "google/rpc/error_details.proto");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
