import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { keepLogin, startLoginServer, type LoginServer } from "../rig/login-server.ts";
import { makes, plan } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";

const names = ["north", "east", "south", "west"];

/** Four plans of one task each, for an agent that poses as claude and whose login, like the user's own, has just run out. */
async function rigWithLogin(server: LoginServer) {
  const plans = names.map((name) => plan({ name, tasks: { [name]: makes(`${name}.txt`) } }));
  const rig = await createRig({
    files: Object.assign({}, ...plans) as Record<string, string>,
    config: { agents: { claude: { env: ["LOGIN_URL"] } }, roles: { executor: { agent: "claude" } } },
  });
  const bin = join(rig.root, "bin");
  mkdirSync(bin);
  const agent = join(import.meta.dirname, "..", "rig", "login-agent.mjs");
  writeFileSync(join(bin, "claude"), `#!/bin/sh\nexec '${process.execPath}' '${agent}'\n`, { mode: 0o755 });
  const [shared, own] = [server.logIn(-1_000), server.logIn(-1_000)];
  keepLogin(homeOf(rig), shared);
  keepLogin(join(rig.root, "home"), own);
  const env = { PATH: `${bin}:${process.env["PATH"]}`, LOGIN_URL: server.url };
  return { rig, shared, own, env };
}

test("Four runs that start sessions across an expiry renew the shared login once; no session is lost, and not the user's own login.", async () => {
  await using server = await startLoginServer();
  const { rig, shared, own, env } = await rigWithLogin(server);
  await using _ = rig;
  const before = ownLogin(rig);

  const runs = names.map((name) => rig.start(["run", name, "--yes"], { env }));
  for (const run of runs) expectCode(await run.ended, 0);

  expect(server.refreshes()).toEqual(["renewed"]);
  expect([server.holds(shared), server.holds(own)]).toEqual([true, true]);
  expect(ownLogin(rig)).toBe(before);
  expect(JSON.parse(readFileSync(loginFile(homeOf(rig)), "utf8"))).not.toMatchObject({
    claudeAiOauth: { refreshToken: shared.refresh },
  });
});

test.skipIf(spawnSync("strace", ["-V"]).status !== 0)(
  "Neither Stint nor anything it starts opens the user's own login.",
  async () => {
    await using server = await startLoginServer();
    const { rig, env } = await rigWithLogin(server);
    await using _ = rig;

    const opened = await filesOpenedBy(rig, ["run", "north", "--yes"], env);

    expect(opened).toContain(join(rig.root, "home", ".gitconfig"));
    expect(opened).toContain(loginFile(homeOf(rig)));
    expect(opened).not.toContain(loginFile(join(rig.root, "home")));
  },
);

/** Every path that the command line or a process of it named to the system, as strace tells. */
async function filesOpenedBy(rig: Rig, args: readonly string[], env: Record<string, string>): Promise<string> {
  const trace = join(rig.outside, "trace");
  const cli = join(import.meta.dirname, "..", "..", "dist", "cli.js");
  const strace = [
    "-f",
    "--seccomp-bpf",
    "-qq",
    "-s",
    "4096",
    "-e",
    "trace=%file",
    "-o",
    trace,
    process.execPath,
    cli,
    ...args,
  ];
  const own = { HOME: join(rig.root, "home"), XDG_STATE_HOME: join(rig.root, "state"), TMPDIR: join(rig.root, "tmp") };
  await promisify(execFile)("strace", strace, { cwd: rig.repo, env: { ...own, ...env } });
  return readFileSync(trace, "utf8");
}

function homeOf(rig: Rig): string {
  return join(rig.root, "state", "stint", "homes", "claude");
}

function loginFile(home: string): string {
  return join(home, ".claude", ".credentials.json");
}

function ownLogin(rig: Rig): string {
  return readFileSync(loginFile(join(rig.root, "home")), "utf8");
}
