import { join } from "node:path";
import type { AgentEvent } from "./driver-kit/agent.ts";
import { readUsage } from "./driver-kit/outbox.ts";
import type { Spending, Usage } from "../engine/session.ts";
import { most, noSpending, priced, type Price } from "../engine/spending.ts";
import { writeDocument } from "../journal/document.ts";
import { realFiles } from "../journal/file-port.ts";
import { agentsLimits } from "./limits.ts";

export interface UsageAccount extends Disposable {
  readonly hear: (event: AgentEvent) => void;
  /** All that was used, with what the session told at its end. */
  readonly conclude: (told: Usage) => Spending;
}

export interface AccountOptions {
  readonly outbox: string;
  /** The attempt's own folder, where a note is kept for a driver that has to take over. */
  readonly dir: string;
  readonly price: Price | undefined;
  readonly used: (spending: Spending) => void;
}

/** Follows what one session uses: from its events, or from `usage.json` in its outbox where they tell nothing. */
export function openUsageAccount({ outbox, dir, price, used }: AccountOptions): UsageAccount {
  let seen: Usage = noSpending;
  let noted: Usage = seen;
  let isTold = false;
  let looking = false;
  let closed = false;
  const see = (usage: Usage) => {
    const next = most(seen, usage);
    // A look that was under way when the session ended must not be taken for news of the next one.
    if (closed || isSame(next, seen)) return;
    seen = next;
    used(priced(seen, price));
  };
  const look = async () => {
    if (looking) return;
    looking = true;
    if (!isTold) see(await readUsage(outbox));
    if (!isSame(seen, noted)) keepNote(dir, seen);
    noted = seen;
    looking = false;
  };
  const timer = setInterval(() => void look(), agentsLimits.usageLookMs);
  return {
    hear: (event) => {
      if (event.type !== "usage") return;
      isTold = true;
      see(event.usage);
    },
    conclude: (told) => priced(most(seen, told), price),
    [Symbol.dispose]: () => {
      closed = true;
      clearInterval(timer);
    },
  };
}

/** What a session told of which nobody is left to conclude: in its outbox, or in the note about it. */
export async function recordedUsage({ outbox, dir }: Pick<AccountOptions, "outbox" | "dir">): Promise<Usage> {
  return most(await readUsage(outbox), await readUsage(dir));
}

/** Not on a full disk, say: then only a crash of Stint would miss it. */
function keepNote(dir: string, { inputTokens, outputTokens, usd }: Usage): void {
  const note = { input_tokens: inputTokens, output_tokens: outputTokens, usd };
  writeDocument(realFiles, join(dir, "usage.json"), `${JSON.stringify(note)}\n`);
}

function isSame(a: Usage, b: Usage): boolean {
  return a.inputTokens === b.inputTokens && a.outputTokens === b.outputTokens && a.usd === b.usd;
}
