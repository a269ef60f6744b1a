import { join } from "node:path";
import type { AgentEvent } from "./driver-kit/agent.ts";
import { readUsage } from "./driver-kit/outbox.ts";
import type { Spending, Usage } from "../engine/session.ts";
import { most, noSpending, priced, type Price } from "../engine/spending.ts";
import { writeDocument } from "../journal/document.ts";
import { realFiles } from "../journal/file-port.ts";
import { agentsLimits } from "./limits.ts";

export interface SessionUsage extends Disposable {
  readonly hear: (event: AgentEvent) => void;
  /** Returns all that was used, including what the session reported at its end. */
  readonly conclude: (reported: Usage) => Spending;
}

export interface UsageOptions {
  readonly outbox: string;
  /** The attempt's own folder, where a note is kept for a driver that resumes the run after a crash. */
  readonly dir: string;
  readonly price: Price | undefined;
  readonly used: (spending: Spending) => void;
}

/** Follows what one session uses: by its events, or by `usage.json` in its outbox where it reports none. */
export function followUsage({ outbox, dir, price, used }: UsageOptions): SessionUsage {
  let seen: Usage = noSpending;
  let noted: Usage = seen;
  let isReported = false;
  let looking = false;
  let closed = false;
  const see = (usage: Usage) => {
    const next = most(seen, usage);
    // A look that started before the session ended must not count for the next one.
    if (closed || isSame(next, seen)) return;
    seen = next;
    used(priced(seen, price));
  };
  const look = async () => {
    if (looking) return;
    looking = true;
    if (!isReported) see(await readUsage(outbox));
    if (!isSame(seen, noted)) keepNote(dir, seen);
    noted = seen;
    looking = false;
  };
  const timer = setInterval(() => void look(), agentsLimits.usageLookMs);
  return {
    hear: (event) => {
      if (event.type !== "usage") return;
      isReported = true;
      see(event.usage);
    },
    conclude: (reported) => priced(most(seen, reported), price),
    [Symbol.dispose]: () => {
      closed = true;
      clearInterval(timer);
    },
  };
}

/** Returns what a session reported whose driver died: in its outbox, or in the note about it. */
export async function recordedUsage({ outbox, dir }: Pick<UsageOptions, "outbox" | "dir">): Promise<Usage> {
  return most(await readUsage(outbox), await readUsage(dir));
}

/** Ignores a failure, such as a full disk: only a crash of Stint would need the note. */
function keepNote(dir: string, { inputTokens, outputTokens, usd }: Usage): void {
  const note = { input_tokens: inputTokens, output_tokens: outputTokens, usd };
  writeDocument(realFiles, join(dir, "usage.json"), `${JSON.stringify(note)}\n`);
}

function isSame(a: Usage, b: Usage): boolean {
  return a.inputTokens === b.inputTokens && a.outputTokens === b.outputTokens && a.usd === b.usd;
}
