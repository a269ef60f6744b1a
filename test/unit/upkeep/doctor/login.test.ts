import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { defaultConfig } from "../../../../src/config/defaults.ts";
import type { Config } from "../../../../src/config/load.ts";
import { noSandbox } from "../../../../src/sandbox/sandbox.ts";
import { copyLogin, findLoginWay } from "../../../../src/upkeep/doctor/login.ts";

let folder: string;
let env: Record<string, string>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stint-login-test-"));
  mkdirSync(join(folder, "bin"));
  mkdirSync(join(folder, "user"));
  for (const name of ["claude", "codex", "gemini", "opencode"])
    writeFileSync(join(folder, "bin", name), "#!/bin/sh\n", { mode: 0o755 });
  env = { PATH: join(folder, "bin"), HOME: join(folder, "user"), XDG_STATE_HOME: join(folder, "state"), TERM: "dumb" };
});

afterEach(() => rmSync(folder, { recursive: true }));

async function wayOf(name: string, agents: Config["agents"] = {}, unapproved: readonly string[] = []) {
  const config = { ...defaultConfig, agents: { ...defaultConfig.agents, ...agents } };
  return await findLoginWay(
    {
      config,
      unapproved: new Set(unapproved),
      root: null,
      env,
      sandbox: noSandbox,
      answerMsMax: 1,
      signal: new AbortController().signal,
    },
    name,
  );
}

async function foundWay(...args: Parameters<typeof wayOf>) {
  const found = await wayOf(...args);
  if (!found.ok) throw new Error(found.failure.message);
  return found.value;
}

const acp = (...command: readonly string[]) => ({
  driver: "acp" as const,
  command,
  env: ["MY_KEY"],
  repoSettings: false,
});

test.each([
  ["claude", ["auth", "login"]],
  ["codex", ["login"]],
  ["gemini", ["--skip-trust"]],
])("%s logs in with its own command, in the home that Stint keeps", async (name, args) => {
  const { argv, home } = await foundWay(name);
  expect(argv).toEqual([join(folder, "bin", name), ...args]);
  expect(home).toBe(join(folder, "state", "stint", "homes", name));
});

test("its environment has that home and no other variable that could lead to the user's own login", async () => {
  Object.assign(env, { XDG_CONFIG_HOME: "/x", CLAUDE_CONFIG_DIR: "/y", ANTHROPIC_BASE_URL: "http://127.0.0.1:9" });
  const { env: given, home } = await foundWay("claude");
  expect(given).toMatchObject({ HOME: home, TERM: "dumb", ANTHROPIC_BASE_URL: "http://127.0.0.1:9" });
  expect(Object.keys(given)).not.toContain("XDG_CONFIG_HOME");
  expect(Object.keys(given)).not.toContain("CLAUDE_CONFIG_DIR");
});

test("a known program behind ACP logs in without the arguments that start a session; an unknown one has no login", async () => {
  const { argv, env: given } = await foundWay("mine", { mine: acp("opencode", "acp") });
  expect(argv).toEqual([join(folder, "bin", "opencode"), "auth", "login"]);
  expect(Object.keys(given)).not.toContain("MY_KEY");
  expect(await wayOf("other", { other: acp("some-agent", "--acp") })).toMatchObject({
    ok: false,
    failure: {
      reason: "usage",
      message:
        "other has no login that Stint could start: Stint does not know how its program logs in. If it needs a key, let the variable through: agents: { other: { env: [NAME] } } in .stint/config.yaml.",
    },
  });
});

test("a program of one's own, an unknown name and a program that is missing are refused", async () => {
  const own = { driver: "command" as const, command: ["./mine.sh"], env: [], repoSettings: false };
  const reasons = [
    await wayOf("own", { own }),
    await wayOf("cluade"),
    await wayOf("claude", { claude: { ...defaultConfig.agents["claude"]!, command: ["nowhere"] } }),
  ].map((found) => (found.ok ? "" : `${found.failure.reason}: ${found.failure.message}`));
  expect(reasons).toEqual([
    expect.stringMatching(/^usage: own has no login that Stint could start: it is a program of your own\./),
    'usage: unknown agent "cluade"; did you mean "claude"?',
    `program: nowhere was not found on PATH. Install it, then try again.`,
  ]);
});

test("a program that the repository names is marked, and so is a key that makes a login needless", async () => {
  env["ANTHROPIC_API_KEY"] = "k";
  expect(await foundWay("claude", {}, ["claude"])).toMatchObject({
    isUnapproved: true,
    credential: "ANTHROPIC_API_KEY",
  });
  expect(await foundWay("codex")).toMatchObject({ isUnapproved: false, credential: undefined });
});

test("of the user's own home exactly the login is copied, for this user alone", async () => {
  const own = join(folder, "user", ".claude");
  mkdirSync(own);
  writeFileSync(join(own, ".credentials.json"), "secret", { mode: 0o644 });
  writeFileSync(join(own, "settings.json"), "{}");
  const way = await foundWay("claude");
  expect(way.existing).toBe(join(own, ".credentials.json"));
  const planted = join(way.home, ".claude");
  mkdirSync(planted);
  symlinkSync(join(folder, "elsewhere"), join(planted, ".credentials.json"));

  const copy = await copyLogin(way);

  const target = join(planted, ".credentials.json");
  expect(copy).toEqual({ ok: true, value: target });
  expect(readFileSync(target, "utf8")).toBe("secret");
  expect(statSync(target).mode & 0o777).toBe(0o600);
  expect(() => statSync(join(planted, "settings.json"))).toThrow("ENOENT");
  expect(() => statSync(join(folder, "elsewhere"))).toThrow("ENOENT");
});

test("without a login of one's own, or with one that is no file, nothing is copied", async () => {
  const nothing = await foundWay("codex");
  expect(nothing.existing).toBeUndefined();
  expect(await copyLogin(nothing)).toMatchObject({
    failure: { message: "there is no login to copy at ~/.codex/auth.json." },
  });
  mkdirSync(join(folder, "user", ".codex", "auth.json"), { recursive: true });
  expect(await copyLogin(await foundWay("codex"))).toMatchObject({
    failure: { message: `${join(folder, "user", ".codex/auth.json")} is not a regular file.` },
  });
});

test("a home that others can write to gets no login", async () => {
  const { home } = await foundWay("claude");
  chmodSync(home, 0o777);
  expect(await wayOf("claude")).toMatchObject({ ok: false, failure: { reason: "home" } });
});
