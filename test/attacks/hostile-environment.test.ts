import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";
import { canConfine } from "../rig/sandbox-world.ts";

test("attack 35: hostile variables of whoever starts a run reach neither set-up, agent nor check", async () => {
  await using rig = await createRig({
    plan: (outside) => ({
      tasks: { "01-a": makes("a.txt", { checks: [`env > '${outside}/check'; bash -c :; grep -q ready a.txt`] }) },
    }),
    config: { workspace: { setup: "bash -c : && env > made-by-set-up" } },
    moves: {
      "01-a": [
        { shell: "bash -c :" },
        { shell: 'cp made-by-set-up "$(dirname "$RIG_MOVES")/set-up"' },
        { save: "agent" },
        ...writes("a.txt"),
      ],
    },
  });
  const evil = join(rig.outside, "evil.sh");
  writeFileSync(evil, `touch '${rig.outside}/fired'\n`);
  const hostile = {
    BASH_ENV: evil,
    ENV: evil,
    LD_PRELOAD: "/nowhere/evil.so",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.fsmonitor",
    GIT_CONFIG_VALUE_0: evil,
    GIT_DIR: "/nowhere",
    GIT_EXTERNAL_DIFF: evil,
    PYTHONSTARTUP: evil,
    PERL5OPT: "-Mevil",
    RUBYOPT: "-revil",
  };

  expectCode(await rig.stint(["run", "--yes"], { env: hostile }), 0);

  expect(existsSync(join(rig.outside, "fired"))).toBe(false);
  const seen = ["check", "set-up"].map((name) => readFileSync(join(rig.outside, name), "utf8").split("\n"));
  const names = [
    ...seen.map((lines) => lines.map((line) => line.split("=")[0] ?? "")),
    Object.keys(rig.saved("agent").env),
  ];
  for (const known of names) expect(known.filter((name) => name in hostile)).toEqual([]);
  // The control: a plain shell hands all of it on, and it fires.
  const plain = spawnSync("bash", ["-c", "env"], { env: { PATH: process.env["PATH"], ...hostile }, encoding: "utf8" });
  expect(existsSync(join(rig.outside, "fired"))).toBe(true);
  for (const name of Object.keys(hostile)) expect(plain.stdout).toContain(`${name}=`);
  expect(plain.stderr).toContain("/nowhere/evil.so");
});

test.skipIf(!canConfine)(
  "attack 39: an install script of set-up reaches no key, no dotfile, no hook and no process, and leaves no daemon",
  async () => {
    await using rig = await createRig({ sandbox: "bwrap", plan: { tasks: { "01-a": makes("a.txt") } } });
    const home = join(rig.root, "home");
    writeFileSync(join(home, ".key"), "secret\n");
    const tries = [
      `cat '${home}/.key'`,
      `echo evil >> '${home}/.bashrc'`,
      `echo evil > '${rig.gitDir}/hooks/pre-commit'`,
      `grep -qz ^PATH= /proc/${process.pid}/environ`,
      `kill -0 ${process.pid}`,
    ];
    const lines = tries.map((line) => `( ${line} ) > /dev/null; echo $? >> '${rig.outside}/codes'`);
    rig.write("install.sh", `${lines.join("\n")}\nsetsid sleep 1000 > /dev/null 2>&1 &\n`);
    const config = readFileSync(join(rig.repo, ".stint/config.yaml"), "utf8");
    rig.write(".stint/config.yaml", config.replace("workspace:\n", "workspace:\n  setup: sh install.sh\n"));
    rig.commit("Install");
    rig.moves({ "01-a": writes("a.txt") });

    expectCode(await rig.stint(["run", "--yes"]), 0);

    const codes = readFileSync(join(rig.outside, "codes"), "utf8").trimEnd().split("\n");
    expect(codes.length).toBeGreaterThanOrEqual(2 * tries.length);
    expect(codes).not.toContain("0");
    expect(rig.processes()).toEqual([]);
    // The control: typed by the user, as installing usually is, each of them succeeds and the daemon stays.
    spawnSync("sh", ["install.sh"], { cwd: rig.repo, stdio: "ignore" });
    const typed = readFileSync(join(rig.outside, "codes"), "utf8").trimEnd().split("\n").slice(codes.length);
    expect(typed).toEqual(tries.map(() => "0"));
    expect(rig.processes()).toHaveLength(1);
  },
);
