import type { Listener } from "../../agents/real-sessions.ts";
import { cliLimits } from "../limits.ts";
import { renderAgentEvent } from "../render-event.ts";

/** Tells what agents say of waiting and trying again, as often as anybody reads it. */
export function agentNotices(tell: (line: string) => void): Listener {
  let heard = 0;
  return (key, event) => {
    const line = renderAgentEvent(key, event);
    if (line === undefined || heard >= cliLimits.agentNoticesShownMax) return;
    heard += 1;
    tell(heard === cliLimits.agentNoticesShownMax ? `${line} (further notices of agents are not shown)` : line);
  };
}
