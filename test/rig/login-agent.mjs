// Poses as claude: keeps its login where claude does, and renews it at its start as simply as a program can: no lock, no second
// look. Then it does its task, which is to write a file of its name.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const { HOME: home, LOGIN_URL: url, STINT_TASK: task } = process.env;
const file = join(home, ".claude", ".credentials.json");

async function renewed({ refreshToken }) {
  const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken });
  const response = await fetch(`${url}/oauth/token`, { method: "POST", body });
  if (!response.ok) endLoggedOut();
  const tokens = await response.json();
  const expiresAt = Date.now() + tokens.expires_in * 1000;
  const next = { accessToken: tokens.access_token, refreshToken: tokens.refresh_token, expiresAt };
  writeFileSync(`${file}.${process.pid}`, JSON.stringify({ claudeAiOauth: next }));
  renameSync(`${file}.${process.pid}`, file);
  return next;
}

function endLoggedOut() {
  say({ is_error: true, api_error_status: 401, result: "Failed to authenticate" });
  process.exit(1);
}

function say(result) {
  process.stdout.write(`${JSON.stringify({ type: "result", subtype: "success", session_id: "s", ...result })}\n`);
}

readFileSync(0);
const { claudeAiOauth: kept } = JSON.parse(readFileSync(file, "utf8"));
const login = kept.expiresAt <= Date.now() ? await renewed(kept) : kept;
const work = await fetch(`${url}/work`, { headers: { authorization: `Bearer ${login.accessToken}` } });
if (!work.ok) endLoggedOut();
writeFileSync(`${task}.txt`, "ready\n");
say({ is_error: false, result: "Done." });
