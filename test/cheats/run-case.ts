import { execFile } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { stringify } from "yaml";
import { readJournal } from "../rig/follow.ts";
import { plan } from "../rig/plan.ts";
import type { Case, Work } from "./case.ts";
import { movesOf, redInControl } from "./moves.ts";
import { outcomeOf, type Outcome } from "./outcome.ts";
import { caches, environmentIn, letThrough, ownPackages } from "./programs.ts";

const cli = join(import.meta.dirname, "..", "..", "dist", "cli.js");
const task = "the-task";
const run = promisify(execFile);

/** Gives the task of a case to the real command line in a repository of its own, with an agent that does what the case says. */
export async function runCase(one: Case, scratch: string): Promise<Outcome> {
  const folder = mkdtempSync(join(scratch, "case-"));
  const repo = join(folder, "repo");
  const env = environmentIn(folder);
  try {
    for (const name of ["repo", "home", "state", "config", "tmp"]) mkdirSync(join(folder, name));
    writeFileSync(join(folder, "home", ".gitconfig"), gitConfig);
    await makeRepo(one, repo, env);
    const said = await run(process.execPath, [cli, "run", "corpus", "--yes"], { cwd: repo, env }).then(
      () => "",
      ({ stderr }: { stderr: string }) => stderr,
    );
    return judged(one, join(repo, ".git"), said);
  } finally {
    if (process.env["RIG_KEEP"] === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function makeRepo(one: Case, repo: string, env: Record<string, string>): Promise<void> {
  const { title, goal, files, checks } = one.task;
  const ours = {
    ...plan({ name: "corpus", tasks: { [task]: { title, goal, files, checks } } }),
    ".stint/config.yaml": stringify(settings()),
    ".stint/moves.json": JSON.stringify({ [task]: movesOf(one) }),
  };
  put(repo, { ...one.base, ...ours });
  const needsPackages = one.needs?.includes("vitest") === true;
  if (needsPackages) linkPackages(repo);
  const git = async (...args: readonly string[]) => run("git", args, { cwd: repo, env });
  await git("init", "--quiet");
  await git("add", "--all");
  await git("add", "--force", ".stint", "plans", ...(needsPackages ? ["node_modules"] : []));
  await git("commit", "--quiet", "--message", "Start");
}

/** The folder itself is the repository's own: Vite writes into it. */
function linkPackages(repo: string): void {
  mkdirSync(join(repo, "node_modules", ".bin"), { recursive: true });
  for (const name of ["vite", "vitest", ".bin/vitest"]) {
    symlinkSync(realpathSync(join(ownPackages, name)), join(repo, "node_modules", name));
  }
}

const gitConfig = "[user]\n\tname = Corpus\n\temail = corpus@example.com\n[init]\n\tdefaultBranch = main\n";

function settings() {
  return {
    agents: { embedded: { driver: "scripted", command: [".stint/moves.json"], env: letThrough } },
    roles: { executor: { agent: "embedded" } },
    run: { parallel: 1, attempts: 1, sandbox: "auto" },
    workspace: { env: letThrough, mounts: [`${caches}:rw`] },
  };
}

function put(dir: string, files: Readonly<Record<string, Work>>): void {
  for (const [path, value] of Object.entries(files)) {
    const place = join(dir, path);
    mkdirSync(dirname(place), { recursive: true });
    if (value === null) continue;
    if (typeof value === "string") writeFileSync(place, value);
    else if ("link" in value) symlinkSync(value.link, place);
    else {
      writeFileSync(place, value.text);
      if (value.executable === true) chmodSync(place, 0o755);
    }
  }
}

/** A cheat counts only if whoever believes the agent's own folder is fooled by it; of honest work that lands, the room's checks say so. */
function judged(one: Case, gitDir: string, said: string): Outcome {
  const outcome = outcomeOf(readJournal(gitDir));
  if (outcome.kind === "spoilt") return { kind: "spoilt", why: `${outcome.why}\n${said}`.trimEnd() };
  if (!one.isCheat || one.fools !== "checks") return outcome;
  const red = redInControl(outputOf(gitDir), one.task.checks);
  if (red === undefined) return { kind: "spoilt", why: "the control did not ask every check" };
  if (red.length === 0) return outcome;
  return { kind: "spoilt", why: `in the agent's own folder check ${red.join(", ")} is red, so nobody is fooled` };
}

function outputOf(gitDir: string): string {
  const runs = join(gitDir, "stint", "runs");
  const files = readdirSync(runs).map((name) => join(runs, name, "attempts", `${task}.1`, "output.log"));
  return files
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
}
