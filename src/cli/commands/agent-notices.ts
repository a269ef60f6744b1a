import type { Listener } from "../../agents/real-sessions.ts";
import { cliLimits } from "../limits.ts";
import { renderAgentEvent } from "../render-event.ts";

/** Prints what agents report about waiting and retrying, up to a bound. */
export function agentNotices(tell: (line: string) => void): Listener {
  let heard = 0;
  return (key, event) => {
    const line = renderAgentEvent(key, event);
    if (line === undefined || heard >= cliLimits.agentNoticesShownMax) return;
    heard += 1;
    tell(heard === cliLimits.agentNoticesShownMax ? `${line} (further notices from agents are not shown)` : line);
  };
}
