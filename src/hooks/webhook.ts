import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { hooksLimits } from "./limits.ts";
import { shortened } from "../base/visible.ts";
import type { Message } from "./message.ts";
import type { Outcome } from "./queue.ts";

/** Posts one message. Redirects are not followed: what was approved is this address, and no other. */
export async function post(
  url: string,
  message: Message,
  { msMax, signal }: { readonly msMax: number; readonly signal: AbortSignal },
): Promise<Outcome> {
  const late = AbortSignal.timeout(msMax);
  try {
    return await answerOf(await send(url, message, AbortSignal.any([signal, late])));
  } catch (error) {
    if (signal.aborted) return { kind: "aborted" };
    const why = late.aborted ? `did not answer within ${msMax / 1000} s` : whyUnreached(error as NodeJS.ErrnoException);
    return { kind: "failed", why, again: true };
  }
}

async function send(url: string, { id, body }: Message, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.startsWith("https:") ? httpsRequest : httpRequest;
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "user-agent": "stint",
    "stint-event": id,
  };
  return new Promise((resolve, reject) => {
    const sent = request(new URL(url), { method: "POST", headers, agent: false, signal }, resolve);
    // Also after the answer: a connection that breaks then changes nothing.
    sent.on("error", reject);
    sent.end(body);
  });
}

async function answerOf(response: IncomingMessage): Promise<Outcome> {
  const status = response.statusCode ?? 0;
  const said = await beginningOf(response);
  if (status >= 200 && status < 300) return { kind: "delivered" };
  if (status >= 300 && status < 400)
    return { kind: "failed", why: `answered ${status}; redirects are not followed`, again: false };
  const why = `answered ${status}${said === "" ? "" : `: ${shortened(said, hooksLimits.hookWhyCharsMax)}`}`;
  return { kind: "failed", why, again: status >= 500 || status === 429 };
}

/** Reads the beginning of the body as one line; only the status decides, so the rest is not read. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= hooksLimits.hookAnswerBytesMax) break;
    }
  } catch {
    // Its status has arrived.
  }
  response.destroy();
  // On lines of its own it could be mistaken for our output.
  return Buffer.concat(chunks).toString("utf8", 0, hooksLimits.hookAnswerBytesMax).trim().replace(/\s+/g, " ");
}

function whyUnreached({ code, message }: NodeJS.ErrnoException): string {
  return `cannot be reached: ${message === "" ? (code ?? "unknown") : message}`;
}
