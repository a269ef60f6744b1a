import { tomlSettings } from "../../syntax/settings.ts";
import { firstOf, inDir, textOf, type Found, type Proposal, type Setup, type Survey } from "./survey.ts";

/** By which a Go project is known. */
export const goManifests = ["go.mod", "go.work"] as const;
/** By which a Rust project is known. */
export const rustManifests = ["Cargo.toml"] as const;

/** A project of Go. Rooms cannot write the module cache, so set-up puts the modules into the checkout. */
export function foundGo(survey: Survey, dir: string): Found {
  const has = (name: string) => survey.files.has(inDir(dir, name));
  const setup = goSetup(survey, dir);
  const linter = firstOf(survey, dir, [".golangci.yml", ".golangci.yaml", ".golangci.toml"]);
  const checks: Proposal[] = [
    { command: "go vet ./...", dir },
    { command: "go test ./...", dir },
    ...(linter === undefined
      ? []
      : [{ command: "golangci-lint run", dir, doubt: `${linter} is there; the program would have to be on PATH` }]),
  ];
  const prose = setup === null ? [] : ["Modules are vendored by set-up: after a change of go.mod run `go mod vendor`."];
  return { kind: "go", dir, evidence: goManifests.filter(has), setup, checks, prose };
}

function goSetup(survey: Survey, dir: string): Setup | null {
  const has = (name: string) => survey.files.has(inDir(dir, name));
  const needs = /^\s*require\b/m.test(textOf(survey, dir, "go.mod")) || has("go.work.sum");
  if (!needs || has("vendor/modules.txt")) return null;
  const isWorkspace = has("go.work");
  const inputs = isWorkspace ? ["go.work", "go.work.sum", "**/go.mod", "**/go.sum"] : ["go.mod", "go.sum"];
  return {
    command: `GOMODCACHE="$HOME/modules" go ${isWorkspace ? "work" : "mod"} vendor`,
    dir,
    inputs: inputs.map((name) => inDir(dir, name)),
    makes: "vendor",
    notes: ["Checks have no network, and cannot write the module cache: the modules lie in the checkout instead."],
  };
}

/** A project of Rust. Rooms cannot write ~/.cargo, so set-up and checks have one in the checkout. */
export function foundRust(survey: Survey, dir: string): Found {
  const hasLock = survey.files.has(inDir(dir, "Cargo.lock"));
  const setup = rustSetup(survey, dir, hasLock);
  const cargo = setup === null ? "cargo" : `CARGO_HOME=${cargoHome} cargo`;
  const settings = tomlSettings(textOf(survey, dir, "Cargo.toml"));
  const isLinted =
    firstOf(survey, dir, ["clippy.toml", ".clippy.toml"]) !== undefined ||
    [...settings.keys()].some((key) => /^(?:workspace\.)?lints\./.test(key));
  const isFormatted = firstOf(survey, dir, ["rustfmt.toml", ".rustfmt.toml"]) !== undefined;
  const checks: Proposal[] = [
    { command: "cargo fmt --check", dir, doubt: isFormatted ? undefined : "is all formatted by rustfmt today?" },
    {
      command: `${cargo} clippy --all-targets -- -D warnings`,
      dir,
      doubt: isLinted ? undefined : "does clippy find nothing today?",
    },
    { command: `${cargo} test`, dir },
  ];
  return { kind: "rust", dir, evidence: ["Cargo.toml", ...(hasLock ? ["Cargo.lock"] : [])], setup, checks, prose: [] };
}

const cargoHome = ".cargo-home";

function rustSetup(survey: Survey, dir: string, hasLock: boolean): Setup | null {
  const settings = tomlSettings(textOf(survey, dir, "Cargo.toml"));
  const isWorkspace = [...settings.keys()].some((key) => key.startsWith("workspace."));
  const needs = [...settings.keys()].some((key) => /(?:^|\.|-)dependencies\./.test(key));
  if (!needs && !isWorkspace) return null;
  const inputs = [isWorkspace ? "**/Cargo.toml" : "Cargo.toml", ...(hasLock ? ["Cargo.lock"] : [])];
  return {
    command: `CARGO_HOME=${cargoHome} cargo fetch${hasLock ? " --locked" : ""}`,
    dir,
    inputs: inputs.map((name) => inDir(dir, name)),
    makes: cargoHome,
    notes: [
      "Checks have no network, and cannot write ~/.cargo: crates lie in the checkout instead.",
      `Write checks of plans the same way: CARGO_HOME=${cargoHome} cargo test …`,
      ...(hasLock ? [] : ["There is no Cargo.lock, so versions may differ from room to room: commit one."]),
    ],
  };
}
