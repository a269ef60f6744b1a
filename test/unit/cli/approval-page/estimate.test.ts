import { expect, test } from "vitest";
import { plain } from "../../../../src/cli/paint.ts";
import { renderPage } from "../../../../src/cli/approval-page/render.ts";
import { pageFor } from "../../../rig/page.ts";
import { everything } from "../../../rig/page-plans.ts";

const look = { width: 80, paint: plain, isUnicode: true };

test("the cost, the pace and a cap that cannot be enforced are shown with what they are based on", () => {
  const spent = { inputTokens: 10, outputTokens: 1, usd: 0.5, unpricedTokens: 0 };
  const history = {
    runs: 1,
    sessions: [
      { role: "executor", model: "small", spent },
      { role: "executor", model: "small", spent: { ...spent, usd: 1.5 } },
    ],
    tasks: [{ estimateMs: 1_000_000, tookMs: 400_000 }],
  } as const;
  const text = renderPage(pageFor({ files: everything, history, unheldCap: "It cannot hold." }), look).join("\n");
  expect(text).toContain(`
  pace: about 12m: 1 earlier task here took 0.4x the estimate
  cost: 3.00 to 9.00 USD, plus the unknown cost of judge
    executor: 1.00 USD per session (0.50 to 1.50), from 2 sessions
    escalation: 1.00 USD per session (0.50 to 1.50), from 2 sessions
  cap: 20.00 USD, 2.00 USD per task. It cannot hold.
`);
});
