import type { AgentEvent, Listener } from "../../agents/real-sessions.ts";
import { inOneLine, visible } from "../../base/visible.ts";
import { cliLimits } from "../limits.ts";

/** Prints what agents report about waiting and retrying, so that nobody wonders why nothing happens; up to a bound. */
export function agentNotices(tell: (line: string) => void): Listener {
  let heard = 0;
  return ({ task, attempt }, event) => {
    const text = noticeText(event);
    if (text === undefined || heard >= cliLimits.agentNoticesShownMax) return;
    heard += 1;
    const line = `${new Date().toTimeString().slice(0, 8)}  ${visible(inOneLine(`${task} #${attempt} ${text}`))}`;
    tell(heard === cliLimits.agentNoticesShownMax ? `${line} (further notices from agents are not shown)` : line);
  };
}

function noticeText(event: AgentEvent): string | undefined {
  if (event.type === "notice") return event.text;
  if (event.type !== "retry") return undefined;
  return `agent retries${event.delayMs === null ? "" : ` in ${Math.round(event.delayMs / 1000)} s`}: ${event.why}`;
}
