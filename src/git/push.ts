import { gitLimits } from "./limits.ts";
import { assertOid, assertRef, splitNul } from "./names.ts";
import { git, type GitResult } from "./run.ts";
import { inRepo, type UserRepo } from "./user-repo.ts";

export interface Push {
  readonly sha: string;
  /** The short name, which has no refs/heads/. */
  readonly branch: string;
  /** The name of one of the user's remotes; a path or a URL is refused. */
  readonly remote: string;
  readonly msMax: number;
  /** What a person types to resume the run, once what the remote refuses is fixed. */
  readonly resume: string;
  readonly signal: AbortSignal;
}

/** `lasting` means that the same push would be refused again until a person acts. */
export type Pushed =
  { readonly kind: "pushed" } | { readonly kind: "refused"; readonly lasting: boolean; readonly why: string };

/**
 * Pushes the run's tip to a branch of the user's remote, by fast-forward only and without any prompt. Remotes, logins and
 * ssh come from the user's git configuration. Variables GIT_* are not inherited, and the user's hooks do not run: they may
 * prompt, take an hour or change files, so a run could not be left alone with them.
 */
export async function push(repo: UserRepo, what: Push): Promise<Pushed> {
  const { signal } = what;
  signal.throwIfAborted();
  const late = AbortSignal.timeout(what.msMax);
  try {
    const { remotes, sshCommand } = await transportOf(repo);
    if (!remotes.includes(what.remote)) return noRemote(what, remotes);
    const result = await git(argumentsOf(what, sshCommand), {
      ...inRepo(repo),
      config: "remote",
      env: unattended,
      signal: AbortSignal.any([signal, late]),
    });
    if (result.code === 0) return { kind: "pushed" };
    signal.throwIfAborted();
    return late.aborted ? tooLate(what) : explain(what, result);
  } catch (error) {
    // The user's repository may be moved, damaged or full: the run continues without it.
    if ((error as NodeJS.ErrnoException).code === undefined || signal.aborted) throw error;
    return refused(what, (error as Error).message);
  }
}

/** Nobody is there to answer a prompt. Git also runs in a session without a terminal, on which ssh and helpers would ask. */
const unattended = { GCM_INTERACTIVE: "never", SSH_ASKPASS_REQUIRE: "never" };

/** Every flag switches off what the user's configuration could add to a push: tags, force, signing, submodules. */
function argumentsOf({ sha, branch, remote }: Push, sshCommand: string | undefined): string[] {
  const ssh = sshCommand === undefined ? ["-c", "core.sshCommand=ssh -o BatchMode=yes"] : [];
  const flags = ["--porcelain", "--no-verify", "--no-force", "--no-force-with-lease", "--no-follow-tags"];
  const target = assertRef(`refs/heads/${branch}`);
  const refspec = `${assertOid(sha)}:${target}`;
  return [...ssh, "push", ...flags, "--no-signed", "--recurse-submodules=no", "--end-of-options", remote, refspec];
}

/** Reads the remotes and the ssh command. A command of the user's own is used as it is: it need not be OpenSSH, and has no terminal to prompt on either. */
async function transportOf(repo: UserRepo): Promise<{ remotes: string[]; sshCommand: string | undefined }> {
  const keys = "^(core\\.sshcommand|remote\\..*\\.(url|pushurl))$";
  const { stdout } = await git(["config", "-z", "--get-regexp", keys], { ...inRepo(repo), config: "remote" });
  const remotes = new Set<string>();
  let sshCommand: string | undefined;
  for (const entry of splitNul(stdout)) {
    const text = entry.toString("utf8");
    const key = text.slice(0, text.indexOf("\n"));
    const remote = /^remote\.(.*)\.(?:url|pushurl)$/s.exec(key)?.[1];
    if (remote !== undefined) remotes.add(remote);
    else sshCommand = text.slice(key.length + 1) || undefined;
  }
  return { remotes: [...remotes], sshCommand };
}

function noRemote({ remote, resume }: Push, remotes: readonly string[]): Pushed {
  const known = remotes.length === 0 ? "The repository has no remotes." : `The repository has: ${remotes.join(", ")}.`;
  const why = `Remote ${remote} does not exist. ${known} Run \`git remote add ${remote} <url>\`, or set \`remote\` in .stint/rules.md, then \`${resume}\`.`;
  return { kind: "refused", lasting: true, why };
}

function tooLate({ branch, remote, msMax, resume }: Push): Pushed {
  const why = `Pushing ${branch} to ${remote} took longer than ${msMax / 1000} s and was stopped. Try \`git push ${remote} ${branch}\` by hand, then run \`${resume}\`.`;
  return { kind: "refused", lasting: true, why };
}

/** `--porcelain` prints a line `!<tab>from:to<tab>[rejected] (why)` for a ref that was rejected. */
function explain(what: Push, { stdout, stderr }: GitResult): Pushed {
  const { branch, remote, resume } = what;
  const rejected = /^!\t[^\t]*\t\[(?<who>[a-z ]+)\] \((?<why>.*)\)$/m.exec(stdout.toString("utf8"))?.groups;
  if (rejected?.["who"] === "rejected") {
    const why = `Branch ${branch} at ${remote} has commits that this run does not have. Rename or delete it there, then run \`${resume}\`.`;
    return { kind: "refused", lasting: true, why };
  }
  if (rejected !== undefined) {
    const said = saidBy(stderr, /^remote:/);
    const why = `${remote} refuses branch ${branch}: ${rejected["why"]}.${said === "" ? "" : ` It says: ${said}`} Fix that, then run \`${resume}\`.`;
    return { kind: "refused", lasting: true, why };
  }
  return refused(what, saidBy(stderr, /./));
}

function refused({ branch, remote, resume }: Push, said: string): Pushed {
  const why = `Branch ${branch} could not be pushed to ${remote}: ${said.replace(/\.$/, "") || "git gave no reason"}. Fix that (\`git push ${remote} ${branch}\` must work without a prompt), then run \`${resume}\`.`;
  return { kind: "refused", lasting: asksForLogin.test(said), why };
}

const asksForLogin =
  /terminal prompts disabled|could not read (?:Username|Password)|Authentication failed|Permission denied|Host key verification failed/;

/** Joins the lines that people need. A URL may contain a password, which must not reach the journal. */
function saidBy(stderr: string, lines: RegExp): string {
  const chosen = stderr.split(/[\r\n]+/).filter((line) => lines.test(line) && !/^(?:To |hint:)/.test(line));
  const text = chosen.map((line) => line.replace(/^(?:remote|fatal|error):\s*/, "").trim()).filter(Boolean);
  return text
    .join("; ")
    .replaceAll(/:\/\/[^/@\s]*@/g, "://")
    .slice(0, gitLimits.pushWhyCharsMax);
}
