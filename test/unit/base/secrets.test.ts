import { expect, test } from "vitest";
import { redactor } from "../../../src/base/redact.ts";
import { secretsOf } from "../../../src/base/secrets.ts";

test("which values are secrets: eight characters or more, unless they are words, numbers, paths or placeholders", () => {
  const env = {
    SHORT: "x7Kq2zW",
    HEX: "9f86d081884c7d65",
    MODE: "production",
    LIST: "alpha,beta,gamma",
    LOCALE: "en_US.UTF-8",
    JAVA_HOME: "/usr/lib/jvm/java-17-openjdk-amd64",
    CACHE: "/home/dev/.cache/SomeTool",
    SERVICE: "https://api.example.com:8443/v1",
    DAY: "2026-11-16 00:18:27",
    LINE: "----------",
    DB_PASSWORD: "password",
    PGPASSWORD: "correcthorsebattery",
    DATABASE_URL: "postgres://app:hunter%40two@db.example.com/app",
    http_proxy: "http://me:plainwords@proxy.example.com:3128",
  };
  const names = Object.keys(env);
  expect(secretsOf(env, [...names, "UNSET", "toString"])).toEqual([
    { name: "HEX", value: env.HEX },
    { name: "PGPASSWORD", value: "correcthorsebattery" },
    { name: "DATABASE_URL", value: env.DATABASE_URL },
    { name: "DATABASE_URL", value: "hunter%40two" },
    { name: "DATABASE_URL", value: "hunter@two" },
    { name: "http_proxy", value: "plainwords" },
  ]);
});

test("of a key over several lines each line is a secret, but not its frame", () => {
  const key = `-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAASCBKcwggSjAgEAAoIB\n-----END PRIVATE KEY-----\n`;
  const redact = redactor(secretsOf({ SIGNING_KEY: key }, ["SIGNING_KEY"]));
  expect(redact.text("AQEFAASCBKcwggSjAgEAAoIB")).toBe("[secret SIGNING_KEY]");
  expect(redact.text("-----BEGIN PRIVATE KEY-----")).toBe("-----BEGIN PRIVATE KEY-----");
});
