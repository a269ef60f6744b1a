import { execFileSync } from "node:child_process";
import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { bounded, code, fenced, prose, row } from "../../../src/report/markdown.ts";
import type { Entry } from "../../../src/report/model.ts";
import { renderProgress } from "../../../src/report/progress.ts";
import { renderMarkdown } from "../../../src/report/render-markdown.ts";
import { renderTimeline } from "../../../src/report/render-timeline.ts";
import { reportOf } from "../../../src/report/report-of.ts";
import { shellWord } from "../../../src/base/command-line.ts";
import { factsOf, journaled } from "../../rig/report.ts";
import { spec, usage, World } from "../../rig/world.ts";

const hostile = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "![x](http://evil/pixel.png)",
  "[click](javascript:alert(1))",
  "[a]: http://evil",
  "https://evil/steal",
  "<https://evil>",
  "`code` ``` ~~~",
  "a | b \\| c \\\\| d",
  "# heading",
  "- item",
  "1. one",
  "&lt;b&gt; &#60;",
  "**bold** _under_ ~~gone~~ $x$",
  "end\n\n## Forged heading\n\n```\nout",
  "\u001b[2J\u001b]0;owned\u0007\u202egpj.exe",
  "]]></title><script>",
  "--> <!-- x",
  "trailing \\",
];

/** Every kind of node below one. */
function kindsIn(node: Nodes): Set<string> {
  const children = "children" in node ? node.children : [];
  return new Set([node.type, ...children.flatMap((child) => [...kindsIn(child)])]);
}

const plainKinds = new Set(["root", "paragraph", "text", "inlineCode"]);

test.each(hostile)("attack 30: as prose and as code, %j is nothing but text", (text) => {
  for (const shown of [prose(text), code(text), prose(`a ${text} b`)]) {
    expect(shown).not.toMatch(/\n/);
    // eslint-disable-next-line no-control-regex
    expect(shown).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    const kinds = kindsIn(fromMarkdown(`Own words: ${shown} and more.`));
    expect([...kinds].filter((kind) => !plainKinds.has(kind))).toEqual([]);
  }
});

test("control: the same texts put in as they are do become links, images, HTML and headings", () => {
  const kinds = new Set(hostile.flatMap((text) => [...kindsIn(fromMarkdown(`Own words: ${text} and more.`))]));
  for (const kind of ["html", "image", "link", "heading", "strong", "code"]) expect([...kinds]).toContain(kind);
});

test("whatever the text, a cell stays one cell and a fence is closed by its own end only", () => {
  const any = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(...hostile),
    fc.string({ unit: fc.constantFrom("\\", "|", "`", "a", "\n", "@") }),
  );
  fc.assert(
    fc.property(any, (text) => {
      for (const cell of [prose(text), code(text)]) expect(cellsOf(row([cell, "x"]))).toBe(2);
      const tree = fromMarkdown(`${fenced([text])}\n\nafter`);
      expect(tree.children.map(({ type }) => type)).toEqual(["code", "paragraph"]);
    }),
    { numRuns: 50 },
  );
});

/** As GitHub's reader splits a row: a backslash takes the next punctuation with it. */
function cellsOf(line: string): number {
  const inner = line.slice(1, -1);
  const bars = inner.replace(/\\[!-/:-@[-`{-~]/g, "").match(/\|/g) ?? [];
  return bars.length + 1;
}

/** A run whose every text is that of an enemy, one task for each. */
function hostileRun(texts: readonly string[]): Entry[] {
  const world = new World(texts.map((title, at) => ({ ...spec(`t${at}`), title })));
  texts.forEach((text, at) => {
    const of = { task: `t${at}`, attempt: 1 };
    const check = { label: text, state: "red", why: text, tail: text, durationMs: 1 } as const;
    const done = { status: "done", summary: text, reason: text, needFiles: [], notes: text } as const;
    world.add({ type: "attempt-started", ...of, base: "base", role: "executor" });
    world.add({ type: "baseline", ...of, state: "red", why: text, checks: [check] });
    const session = { outcome: { kind: "ok" }, report: done, reportProblem: null, usage, model: text } as const;
    world.add({ type: "agent-finished", ...of, ...session, agent: text });
    world.add({ type: "candidate-made", ...of, commit: "c0ffee", paths: [text], pathCount: 1, diff: "d" });
    const guards = [{ guard: "scope", path: text, why: text, evidence: text } as const];
    const failed = { result: "failed", reason: "check", why: text, tip: "base", placed: null } as const;
    world.add({ type: "verdict", ...of, ...failed, guards, checks: [check] });
    world.add({ type: "task-blocked", ...of, kind: "reported-blocked", why: text });
    if (at % 2 === 0) world.add({ type: "answered", id: of.task, answer: text, command: `a${at}` });
    world.add({ type: "command-ignored", command: `b${at}`, kind: text, why: text });
    world.add({ type: "parked", reason: "limit", why: text, until: null });
  });
  return journaled(world.events);
}

test("attack 30: a run full of such texts makes a report without links, HTML or headings of theirs, and a sound picture", () => {
  const entries = hostileRun(hostile);
  const report = reportOf(entries, factsOf(entries));
  const markdown = renderMarkdown({ ...report, goal: hostile.join(" "), flaky: hostile });
  const tree = fromMarkdown(markdown);
  const kinds = kindsIn(tree);
  for (const kind of ["html", "link", "linkReference", "definition", "imageReference"])
    expect([...kinds]).not.toContain(kind);
  expect(imagesIn(tree)).toEqual(["timeline.svg"]);
  expect(markdown).not.toMatch(/^#+ Forged/m);
  // eslint-disable-next-line no-control-regex
  expect(markdown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  for (const title of hostile) expectSound(renderTimeline({ ...report, title }));
});

function imagesIn(node: Nodes): string[] {
  const children = "children" in node ? node.children : [];
  return [...(node.type === "image" ? [node.url] : []), ...children.flatMap(imagesIn)];
}

const elements = new Set(["svg", "title", "style", "defs", "pattern", "rect", "text", "path", "g"]);

/** Every tag is one of ours, closed where it was opened; nothing refers to anything outside. */
function expectSound(svg: string) {
  const open: string[] = [];
  const wrong: string[] = [];
  for (const [tag, end, name = ""] of svg.matchAll(/<(\/?)([a-zA-Z!?][^\s/>]*)[^>]*>/g)) {
    if (!elements.has(name) || (end === "/" && open.pop() !== name)) wrong.push(tag);
    else if (end !== "/" && !tag.endsWith("/>")) open.push(name);
  }
  expect([...wrong, ...open]).toEqual([]);
  const tags = [...svg.matchAll(/<[^>]*>/g)].join("");
  expect(tags).not.toMatch(/\bon\w+=|href|script/);
  expect(svg.slice(svg.indexOf("<style>"), svg.indexOf("</style>"))).not.toMatch(/@import|url\((?!#hatch)/);
  // eslint-disable-next-line no-control-regex
  expect(svg).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
}

test("control: a picture with such a title put in as it is, is not sound", () => {
  const entries = hostileRun(["x"]);
  const svg = renderTimeline(reportOf(entries, factsOf(entries)));
  expectSound(svg);
  expect(() => expectSound(svg.replace("<title>", "<title>]]></title><script>"))).toThrow();
});

test.each(hostile)("progress.md with tasks titled %j has one line for each and nothing else", (text) => {
  const world = new World([
    { ...spec("a"), title: text },
    { ...spec("b"), title: text },
  ]);
  const shown = renderProgress(world.state, "2026-11-16T00:00:00.000Z");
  expect(shown.match(/^- \[ \] `[ab]` /gm)).toHaveLength(2);
  expect(shown.split("\n")).toHaveLength(9);
});

test("what is left out of a list is counted, and nothing is made of it", () => {
  const made: string[] = [];
  const say = (item: string) => {
    made.push(item);
    return item;
  };
  const options = { charsMax: 8, leftOut: (count: number) => `${count} more` };
  expect(bounded(["aaa", "bbb", "ccc", "ddd"], say, options)).toEqual(["aaa", "bbb", "2 more"]);
  expect(made).toEqual(["aaa", "bbb", "ccc"]);
  expect(bounded(["aaa", "bbb"], say, options)).toEqual(["aaa", "bbb"]);
});

test("whatever a name is, a shell takes it for one word", () => {
  const names = fc.string({
    unit: fc.constantFrom("a", "'", '"', "$", "(", ")", ";", "&", " ", "-", "\\", "\n", "#", "*", "é"),
  });
  fc.assert(
    fc.property(fc.array(names, { minLength: 20 }), (some) => {
      const words = some.map(shellWord).join(" ");
      const read = execFileSync("sh", ["-c", `printf '%s\\0' ${words}`], { encoding: "utf8" });
      expect(read.split("\0").slice(0, -1)).toEqual(some);
    }),
    { numRuns: 5 },
  );
  expect(shellWord("stint/work")).toBe("stint/work");
  expect(shellWord("--name=a b")).toBe("'--name=a b'");
});

test("a number is escaped only where it would begin a list", () => {
  expect(["0.02 USD", "1. one", "2)", "3) x"].map((text) => prose(text))).toEqual([
    "0.02 USD",
    "1\\. one",
    "2\\)",
    "3\\) x",
  ]);
});
