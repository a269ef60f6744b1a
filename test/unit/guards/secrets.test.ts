import { expect, test } from "vitest";
import { guardSecrets } from "../../../src/guards/secrets.ts";
import { judged } from "../../rig/contents.ts";

const found = async (text: string, path = "src/a.js") =>
  await judged(guardSecrets, { edits: { [path]: [null, text] } });

/** Put together here, so that no file of this project has the shape of a secret. */
const words = ["PRIVATE", "KEY"].join(" ");
const mixed = "q7Zx9Lm2Vt4Rk8Wp1Ys6Bd3Nf5Hc0JgTaUeM";
const base64 = `${mixed}${mixed}`;

test("A key is named by its kind and its first characters, and nothing else of it is shown.", async () => {
  const key = ["AKIA", "Q7ZXLM2VT4RKWPY6"].join("");
  expect(await found(`const id = 1;\nconst key = "${key}"; // ${key}\n`)).toEqual([
    {
      guard: "secret",
      path: "src/a.js",
      why: "contains an AWS access key in its new lines. Remove it, and read it from the environment; if it is real, revoke it.",
      evidence: '+ 2: const key = "AKIA…',
    },
  ]);
});

test.each([
  ["a private key", `-----BEGIN RSA ${words}-----\n${base64}\n-----END`],
  ["a private key", `key = "-----BEGIN ${words}-----\\n${base64}\\n-----END"`],
  ["an AWS secret key", `aws_secret_access_key = "${mixed}+/Qz"`],
  ["a GitHub token", `ghp_${mixed}`],
  ["a GitLab token", `glpat-${mixed.slice(0, 20)}`],
  ["a Slack token", `xoxb-2483756912-${mixed.slice(0, 24)}`],
  ["a Google API key", `AIza${mixed.slice(0, 35)}`],
  ["a Stripe live key", `sk_live_${mixed.slice(0, 24)}`],
  ["an npm token", `npm_${mixed}`],
  ["a PyPI token", `pypi-AgE${base64}`],
  ["an API key", `sk-proj-${base64}`],
  ["an API key", `sk-ant-api03-${base64}`],
  ["a signed token", `eyJhbGciOiJIUzI1NiJ9.eyJ${base64}.${mixed}`],
  ["a password in an address", `postgres://admin:${mixed.slice(0, 12)}@db.acme-corp.io/live`],
])("%s is found.", async (what, text) => {
  expect((await found(`x = ${text}\n`)).map(({ why }) => why.split(" in its new lines")[0])).toEqual([
    `contains ${what}`,
  ]);
  expect(JSON.stringify(await found(`x = ${text}\n`))).not.toContain(mixed.slice(0, 12));
});

test.each([
  ["an example of the documentation", "AKIAIOSFODNN7EXAMPLE"],
  ["a placeholder", `ghp_${"x".repeat(36)}`],
  ["a placeholder", "sk-your-api-key-goes-here-0123456789-ABCDEF"],
  ["a key of Stripe for tests", `sk_test_${mixed.slice(0, 24)}`],
  ["a local database", "postgres://postgres:postgres@localhost:5432/app"],
  ["a database of compose", "postgres://app:s3cretpw@db:5432/app"],
  ["a variable", "https://${USER}:${PASSWORD}@api.acme.io/"],
  ["a form", "scheme://[user:passwd@]proxy.server:port"],
  ["a template", "mysql://user:<password>@host/db"],
  ["an address of the documentation", "https://user:hunter22@example.com/"],
  ["an address with a port", "http://acme.io:8080/a@b"],
  ["a hash", "sha512-q7Zx9Lm2Vt4Rk8Wp1Ys6Bd3Nf5Hc0JgTaUeq7Zx9Lm2Vt4Rk8Wp1Ys6Bd3Nf5Hc0JgTaUe=="],
  ["a commit", "3f786850e387550fdab836ed7e6dc881de23001b"],
  ["a class of CSS", "sk-loading-indicator-container-wrapper-large-2"],
  ["a head without a key", `if (text.includes("-----BEGIN ${words}-----")) throw new Error()`],
  ["a short token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"],
])("%s is no secret: %s", async (_, text) => {
  expect(await found(`const x = "${text}";\n`)).toEqual([]);
});

test("What was there before, or stands in a lockfile, is not the attempt's.", async () => {
  const line = `token = ghp_${mixed}\n`;
  expect(await judged(guardSecrets, { edits: { "a.ini": [line, `\n${line}x = 1\n`] } })).toEqual([]);
  expect(await found(`"integrity": "npm_${mixed}"`, "package-lock.json")).toEqual([]);
});
