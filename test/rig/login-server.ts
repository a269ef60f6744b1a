import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** What a person gets who logs in. */
export interface Tokens {
  readonly access: string;
  readonly refresh: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** A login service on loopback: a refresh token is taken once, and one used again ends the whole login, as RFC 9700 has it. */
export interface LoginServer extends AsyncDisposable {
  readonly url: string;
  /** Logs somebody in; `lifeMs` below zero gives an access token that has run out already. */
  readonly logIn: (lifeMs: number) => Tokens;
  /** Whether the login that these tokens belong to, or came from, still holds. */
  readonly holds: (tokens: Tokens) => boolean;
  /** What was answered to each refresh, in order. */
  readonly refreshes: () => readonly ("renewed" | "invalid_grant")[];
}

interface Login {
  refresh: string;
  revoked: boolean;
}

export interface LoginServerOptions {
  /** Refreshes are answered once so many have come in, so that their race does not depend on the machine. */
  readonly answerAfter?: number;
}

const renewedLifeMs = 3_600_000;

export async function startLoginServer({ answerAfter = 1 }: LoginServerOptions = {}): Promise<LoginServer> {
  const logins = new Map<string, Login>();
  const answers: ("renewed" | "invalid_grant")[] = [];
  const held: (() => void)[] = [];

  const issue = (id: string, lifeMs: number): Tokens => {
    const expiresAt = Date.now() + lifeMs;
    const refresh = `${id}/${randomUUID()}`;
    logins.set(id, { refresh, revoked: logins.get(id)?.revoked ?? false });
    return { access: accessToken(id, expiresAt), refresh, expiresAt };
  };

  const refresh = async (request: IncomingMessage, response: ServerResponse) => {
    const token = refreshTokenOf(await bodyOf(request));
    await new Promise<void>((resolve) => {
      held.push(resolve);
      if (held.length >= answerAfter) for (const answer of held) answer();
    });
    const [id = ""] = token.split("/");
    const login = logins.get(id);
    const isFresh = login !== undefined && !login.revoked && login.refresh === token;
    answers.push(isFresh ? "renewed" : "invalid_grant");
    if (!isFresh) {
      if (login !== undefined) login.revoked = true;
      return answer(response, 400, { error: "invalid_grant" });
    }
    const { access, refresh: next } = issue(id, renewedLifeMs);
    const tokens = { access_token: access, id_token: access, refresh_token: next, expires_in: renewedLifeMs / 1000 };
    return answer(response, 200, tokens);
  };

  const work = (request: IncomingMessage, response: ServerResponse) => {
    const claims = claimsOf(request.headers.authorization ?? "");
    const isGood = claims !== undefined && claims.exp * 1000 > Date.now() && logins.get(claims.sub)?.revoked === false;
    answer(response, isGood ? 200 : 401, {});
  };

  const server = createServer((request, response) => {
    if (request.url === "/oauth/token") void refresh(request, response);
    else work(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    logIn: (lifeMs) => issue(randomUUID(), lifeMs),
    holds: ({ refresh: token }) => logins.get(token.split("/")[0] ?? "")?.revoked === false,
    refreshes: () => answers,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Puts a login where claude keeps one in its home. */
export function keepLogin(
  home: string,
  login: Omit<Partial<Tokens>, "expiresAt"> & { expiresAt: number | null },
): void {
  const { access: accessToken, refresh: refreshToken, expiresAt } = login;
  mkdirSync(join(home, ".claude"), { recursive: true, mode: 0o700 });
  const kept = { claudeAiOauth: { accessToken, refreshToken, expiresAt } };
  writeFileSync(join(home, ".claude", ".credentials.json"), JSON.stringify(kept), { mode: 0o600 });
}

/** Of the form that agents look into for its expiry; nobody checks the signature. */
function accessToken(sub: string, expiresAt: number): string {
  const parts = [{ alg: "none" }, { sub, exp: Math.floor(expiresAt / 1000) }];
  return [...parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")), "none"].join(".");
}

function claimsOf(authorization: string): { readonly sub: string; readonly exp: number } | undefined {
  const claims = authorization.split(".")[1];
  if (claims === undefined) return undefined;
  return JSON.parse(Buffer.from(claims, "base64url").toString()) as { readonly sub: string; readonly exp: number };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Agents send a form or JSON. */
function refreshTokenOf(body: string): string {
  if (!body.startsWith("{")) return new URLSearchParams(body).get("refresh_token") ?? "";
  return (JSON.parse(body) as { readonly refresh_token?: string }).refresh_token ?? "";
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
