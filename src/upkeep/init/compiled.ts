import { tomlSettings } from "../../syntax/settings.ts";
import { firstOf, inDir, textOf, type Found, type Proposal, type Setup, type Survey } from "./survey.ts";

/** The files that identify a Go project. */
export const goManifests = ["go.mod", "go.work"] as const;
/** The files that identify a Rust project. */
export const rustManifests = ["Cargo.toml"] as const;

/** Describes a Go project. Checks cannot write the module cache, so set-up puts the modules into the checkout. */
export function foundGo(survey: Survey, dir: string): Found {
  const has = (name: string) => survey.files.has(inDir(dir, name));
  const setup = goSetup(survey, dir);
  const linter = firstOf(survey, dir, [".golangci.yml", ".golangci.yaml", ".golangci.toml"]);
  const checks: Proposal[] = [
    { command: "go vet ./...", dir },
    { command: "go test ./...", dir },
    ...(linter === undefined
      ? []
      : [{ command: "golangci-lint run", dir, doubt: `${linter} exists; the program must be on PATH` }]),
  ];
  const prose = setup === null ? [] : ["Set-up vendors the modules: after you change go.mod, run `go mod vendor`."];
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
    notes: ["Checks have no network access and cannot write the module cache, so the modules are in the checkout."],
  };
}

/** Describes a Rust project. Checks cannot write ~/.cargo, so set-up and checks use a folder in the checkout. */
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
    {
      command: "cargo fmt --check",
      dir,
      doubt: isFormatted ? undefined : "only if rustfmt has formatted all code already",
    },
    {
      command: `${cargo} clippy --all-targets -- -D warnings`,
      dir,
      doubt: isLinted ? undefined : "only if clippy finds nothing today",
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
      "Checks have no network access and cannot write ~/.cargo, so the crates are in the checkout.",
      `Write checks of plans the same way: CARGO_HOME=${cargoHome} cargo test …`,
      ...(hasLock ? [] : ["There is no Cargo.lock, so versions can differ between checkouts: commit one."]),
    ],
  };
}
