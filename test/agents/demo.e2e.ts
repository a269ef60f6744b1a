import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, test, type TestContext } from "vitest";
import { startCli, type Ended } from "../rig/cli.ts";
import { programFolder } from "./installed.ts";
import { routes } from "./routes.ts";
import { startModelServer } from "./server/model-server.ts";
import type { Move, Script, Turn } from "./server/script.ts";

/** What the scripted agent of the demo writes, too. */
const { sources } = (await import(resolve("demo/sources.mjs"))) as {
  readonly sources: Readonly<Record<string, string>>;
};
const source = (name: string): string => sources[name] ?? "";

/** How a model does each task of the demo's plan, by its title, with claude's own tools. */
const honest: Readonly<Record<string, readonly Move[]>> = {
  "Take a discount off an amount": [{ edit: "src/discount.js", text: source("discount") }],
  "Charge delivery below 50.00": [{ edit: "src/delivery.js", text: source("delivery").replace('"D"', '"S"') }],
  "Round VAT half up to the cent": [{ shell: "sed -i s/Math.floor/Math.round/ src/vat.js" }],
  "Say when an invoice is due": [{ edit: "src/due-date.js", text: source("dueDate").replace("<days>", "30") }],
  "Export lines as CSV": [{ edit: "src/csv.js", text: source("csv") }],
  "Print an invoice from an order file": [
    { edit: "bin/invoice.js", text: source("command") },
    { edit: "test/command.test.js", text: source("commandTest") },
  ],
  "Explain in the README how to print an invoice": [
    { shell: "echo 'Print one with `node bin/invoice.js examples/order.json`.' >> README.md" },
  ],
};

describe.skipIf(programFolder("claude-code") === undefined)("stint demo --agent claude", { timeout: 300_000 }, () => {
  test("The plan is done through claude's own tools, and every expectation holds.", async (test) => {
    const { ended, requests } = await demo(test, { moves: movesFor });

    expect({ code: ended.code, failed: unmet(ended) }, ended.stdout + ended.stderr).toEqual({ code: 0, failed: [] });
    expect(ended.stdout).toContain("This costs at most about 5 USD: once that is spent, agents are stopped");
    expect(ended.stdout.match(/^ {2}\[x\] /gm)).toHaveLength(7);
    expect(ended.stdout).toContain("yes  the same checks pass in a clone of the branch");
    expect(requests).toBeGreaterThan(14);
  });

  test("A key that the service refuses ends it with 3, and nothing lands.", async (test) => {
    const { ended } = await demo(test, { moves: [{ refuse: 401 }] });

    expect({ code: ended.code, failed: unmet(ended) }, ended.stdout + ended.stderr).toEqual({ code: 3, failed: [] });
    expect(ended.stdout).not.toMatch(/^ {2}\[x\] /m);
    expect(ended.stderr).toContain(
      "Fix ANTHROPIC_API_KEY in your environment, or unset it and log in with `stint login claude`",
    );
  });

  test("Without a login it says how to log in, ends with 1, spends nothing and leaves nothing.", async (test) => {
    const { ended, requests, left } = await demo(test, { moves: [], key: false });

    expect(ended.code, ended.stdout + ended.stderr).toBe(1);
    expect(ended.stdout).toMatch(
      /^bad {3}login of claude +not logged in\n +Log in with `stint login claude`, or set ANTHROPIC_API_KEY /m,
    );
    expect(ended.stderr).toContain("Nothing was started or spent. Fix what is marked bad above, then try again.");
    expect({ requests, left }).toEqual({ requests: 0, left: [] });
  });
});

interface Played {
  readonly ended: Ended;
  readonly requests: number;
  /** Folders of the demo that are still there. */
  readonly left: readonly string[];
}

/** As a user types it: the agent on PATH, the key in the environment, the model in their own settings. */
async function demo(
  test: TestContext,
  { moves, key = true }: { readonly moves: Script["moves"]; readonly key?: boolean },
): Promise<Played> {
  const { model, env } = routes.claude;
  const server = await startModelServer({ models: [model], moves });
  const home = mkdtempSync(join(tmpdir(), "stint-demo-e2e-"));
  test.onTestFinished(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(home, { recursive: true, force: true });
  });
  const [settings, temporary] = [join(home, "config", "stint"), join(home, "tmp")];
  for (const folder of [settings, temporary]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(settings, "config.yaml"), `roles: { executor: { agent: claude, model: ${model} } }\n`);
  const run = startCli(["demo", "--agent", "claude"], {
    cwd: home,
    gitDir: home,
    outside: home,
    env: {
      PATH: `${programFolder("claude-code") ?? ""}:${process.env["PATH"] ?? ""}`,
      HOME: home,
      XDG_STATE_HOME: join(home, "state"),
      XDG_CONFIG_HOME: join(home, "config"),
      TMPDIR: temporary,
      ...(key ? env(server.url) : {}),
    },
  });
  const ended = await run.ended;
  return { ended, requests: server.requests.length, left: readdirSync(temporary).filter(isOfDemo) };
}

function isOfDemo(name: string): boolean {
  return name.startsWith("stint-demo-");
}

/** The task file is in the prompt, whole. */
function movesFor({ text }: Turn): readonly Move[] {
  const [, done = []] = Object.entries(honest).find(([title]) => text.includes(`\ntitle: ${title}\n`)) ?? [];
  return [...done, { say: "The task is done." }];
}

/** Expectations that did not hold. */
function unmet({ stdout }: Ended): readonly string[] {
  return stdout.match(/^ {2}NO {3}.*$/gm) ?? [];
}
