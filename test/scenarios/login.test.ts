import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { openPane, whyNoTmux } from "../rig/pane.ts";
import { createRig, type Rig } from "../rig/rig.ts";

/** Stands for claude: its login reads a code from the terminal and keeps it in its HOME. */
const program = `#!/bin/sh
case "$*" in
  --version) echo 9.9.9 ;;
  "auth login"*) [ -t 0 ] || exit 9; printf 'Paste code here > '; read code; mkdir -p "$HOME/.claude"; echo "$code $3" > "$HOME/.claude/.credentials.json" ;;
  "auth status --json") [ -s "$HOME/.claude/.credentials.json" ] && echo '{"loggedIn":true,"authMethod":"claude.ai"}' || echo '{"loggedIn":false,"authMethod":"none"}' ;;
esac
`;

interface Stage extends AsyncDisposable {
  readonly rig: Rig;
  readonly env: Record<string, string>;
  /** The login in the home that Stint keeps. */
  readonly kept: string;
  /** The user's own. */
  readonly own: string;
}

async function stage(config = {}): Promise<Stage> {
  const rig = await createRig({ config });
  const bin = join(rig.root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "claude"), program);
  chmodSync(join(bin, "claude"), 0o755);
  const file = ".claude/.credentials.json";
  const env = { ...rig.env, PATH: `${bin}:${rig.env["PATH"]}` };
  const kept = join(rig.env["XDG_STATE_HOME"]!, "stint/homes/claude", file);
  const own = join(rig.env["HOME"]!, file);
  return { rig, env, kept, own, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

const byClaude = { roles: { executor: { agent: "claude" } } };

test("Without a terminal a login is refused with what to do instead; --use-existing copies the one file, and nothing is left to do.", async () => {
  await using on = await stage(byClaude);
  const { rig, env, own, kept } = on;
  const refused = await rig.stint(["login"], { env });
  expectCode(refused, 2);
  expect(refused.stderr).toBe(
    "stint: a login needs a terminal. Run `stint login claude` in one, or set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN or CLAUDE_CODE_OAUTH_TOKEN.\n",
  );
  expectCode(await rig.stint(["login", "claude", "--use-existing"], { env }), 2);

  mkdirSync(join(own, ".."), { recursive: true });
  writeFileSync(own, "mine\n");
  const copied = await rig.stint(["login", "claude", "--use-existing"], { env });

  expectCode(copied, 0);
  expect(copied.stdout).toContain(`Copied ${own} to ${kept} (mode 0600), and nothing else. Of two copies, `);
  expect(copied.stdout).toMatch(/\nclaude is logged in: claude\.ai\n$/);
  expect(readFileSync(kept, "utf8")).toBe("mine\n");
  expect(statSync(kept).mode & 0o777).toBe(0o600);
  const again = await rig.stint(["login"], { env });
  expectCode(again, 0);
  expect(again.stdout).toBe("claude is logged in: claude.ai\n");
});

test("A key of the environment needs no login; a program of one's own has none; settings with errors start nothing.", async () => {
  await using on = await stage();
  const { rig, env } = on;
  const withKey = await rig.stint(["login", "claude"], { env: { ...env, ANTHROPIC_API_KEY: "k" } });
  expectCode(withKey, 0);
  expect(withKey.stdout).toBe(
    "claude needs no login: ANTHROPIC_API_KEY is set, and it uses that. Unset it to log in.\n",
  );
  const own = await rig.stint(["login", "scripted"], { env });
  expectCode(own, 2);
  expect(own.stderr).toContain("scripted has no login that Stint could start: it is a program of your own.");
  rig.write(".stint/config.yaml", "rols: {}\n");
  expectCode(await rig.stint(["login", "claude"], { env }), 2);
});

test("An agent that cannot say whether it is logged in is no success, and the message says what to run.", async () => {
  await using on = await stage(byClaude);
  const { rig, env } = on;
  const claude = join(rig.root, "bin", "claude");
  writeFileSync(claude, "#!/bin/sh\nkill -SEGV $$\n", { mode: 0o755 });
  const asked = await rig.stint(["login"], { env });
  expectCode(asked, 1);
  expect(asked.stderr).toBe(
    `stint: login of claude: unknown, killed by SIGSEGV. Run \`${claude}\` yourself to see why.\n`,
  );
});

test("An interrupt while doctor or login asks an agent ends with 130, and blames nobody.", async () => {
  await using on = await stage({ ...byClaude, run: { sandbox: "none" } });
  const { rig, env } = on;
  for (const command of ["doctor", "login"]) {
    const hangs = `#!/bin/sh\n: > ${rig.outside}/${command}.reached\nexec sleep 1000\n`;
    writeFileSync(join(rig.root, "bin", "claude"), hangs);
    const asking = rig.start([command], { env });
    await asking.waitForHold(command);
    const ended = await asking.kill("SIGINT");
    expectCode(ended, 130);
    expect(`${ended.stdout}${ended.stderr}`).not.toMatch(/claude/);
  }
});

describe.skipIf(whyNoTmux !== undefined)("in a terminal", () => {
  test("The agent's own login has the terminal, in the home that Stint keeps, and your own login stays as it is.", async () => {
    await using on = await stage(byClaude);
    const { rig, env, own, kept } = on;
    mkdirSync(join(own, ".."), { recursive: true });
    writeFileSync(own, "mine\n");
    await using pane = await openPane(rig, "login claude -- --console", { env, columns: 400 });
    await pane.until("Copy that login instead of logging in again? [y/N]");
    await pane.press("Enter");
    await pane.until("Paste code here >");
    await pane.press("1234", "Enter");
    const shown = await pane.until("EXIT=0");

    expect(shown).toContain("claude is logged in: claude.ai");
    expect(readFileSync(kept, "utf8")).toBe("1234 --console\n");
    expect(readFileSync(own, "utf8")).toBe("mine\n");
  });

  test("Only agents that a role uses are asked for a login, and the message says which.", async () => {
    await using on = await stage(byClaude);
    const { rig, env, kept } = on;
    mkdirSync(join(kept, ".."), { recursive: true, mode: 0o700 });
    writeFileSync(kept, "mine\n");
    const codex = join(rig.root, "bin", "codex");
    writeFileSync(codex, `#!/bin/sh\n: > ${rig.outside}/asked\n`, { mode: 0o755 });
    await using pane = await openPane(rig, "login", { env, columns: 400 });
    const shown = await pane.until("EXIT=0");
    expect(shown).toContain("Asking claude for a login …");
    expect(shown).toContain("claude is logged in: claude.ai");
    expect(existsSync(join(rig.outside, "asked"))).toBe(false);
  });

  test("A program that the repository names is shown and runs only after a yes.", async () => {
    await using on = await stage({ agents: { claude: { command: ["./evil.sh"] } }, ...byClaude });
    const { rig, env } = on;
    rig.write("evil.sh", `#!/bin/sh\n: > ${rig.outside}/ran\n`);
    chmodSync(join(rig.repo, "evil.sh"), 0o755);
    await using pane = await openPane(rig, "login claude", { env, columns: 400 });
    await pane.until(`The repository's settings name the program of claude: ${rig.repo}/evil.sh auth login`);
    await pane.press("Enter");
    await pane.until("EXIT=3");
    expect(existsSync(join(rig.outside, "ran"))).toBe(false);
  });
});
