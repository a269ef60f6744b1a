// An agent that keeps its login in its HOME and renews it at its start as simply as a program can: no lock, no second look.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const { HOME: home, LOGIN_URL: url } = process.env;
const file = join(home, "login.json");

/** Exits with 75's neighbour for a login that is lost: EX_NOPERM of sysexits.h. */
const lost = 77;

async function renewed(login) {
  const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: login.refresh });
  const response = await fetch(`${url}/oauth/token`, { method: "POST", body });
  if (!response.ok) process.exit(lost);
  const tokens = await response.json();
  const expiresAt = Date.now() + tokens.expires_in * 1000;
  const next = { access: tokens.access_token, refresh: tokens.refresh_token, expiresAt };
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(next));
  renameSync(`${file}.${process.pid}`, file);
  return next;
}

const kept = JSON.parse(readFileSync(file, "utf8"));
const login = kept.expiresAt <= Date.now() ? await renewed(kept) : kept;
const work = await fetch(`${url}/work`, { headers: { authorization: `Bearer ${login.access}` } });
process.exit(work.ok ? 0 : lost);
