import { gap, heading, orNone, type Item } from "../text-layout.ts";
import type { Page, PageDecision } from "./model.ts";
import { runs } from "./tasks.ts";
import { diffItem } from "./task-changes.ts";
import { pushed } from "./unusual.ts";

/** What was decided, and by whom. */
export function decisionItems({ decisions }: Pick<Page, "decisions">): Item[] {
  return [heading("Decisions:"), ...orNone(decisions.flatMap(oneDecision))];
}

function oneDecision({ id, question, options, recommend, answer, answered_by, file, line }: PageDecision): Item[] {
  const by = answered_by === "planner" ? "assumed by the planner, not asked" : "answered by a person";
  const open: Item = { indent: 4, text: `open: write an answer at ${file}:${line}`, style: "red" };
  const closed: Item = { indent: 4, label: "answer: ", text: `${answer} (${by})` };
  return [
    { indent: 2, text: `${id}: ${question}` },
    answered_by === null ? open : answered_by === "planner" ? { ...closed, style: "yellow" } : closed,
    ...(options.length === 0 ? [] : [{ indent: 4, label: "options: ", text: options.join(", ") }]),
    ...(recommend === null ? [] : [{ indent: 4, label: "recommended: ", text: recommend }]),
  ];
}

/** What the plan takes for granted. */
export function prerequisiteItems({ prerequisites }: Page): Item[] {
  return [
    heading("Prerequisites (by approving you confirm that they are met):"),
    ...orNone(
      prerequisites.flatMap(({ text, check }): Item[] => [
        { indent: 2, text },
        ...(check === null ? [] : [{ ...runs, indent: 4, text: check }]),
      ]),
    ),
  ];
}

/** Where work is done, what it can see, and where it lands. */
export function placeItems(page: Page): Item[] {
  const { workspace, branch, push, protect, forbid } = page;
  const { setup, env, mounts, sandbox, scope_requests } = workspace;
  return [
    heading("Set-up, run in every fresh checkout (for agents and for checks):"),
    ...orNone(setup === null ? [] : [{ ...runs, text: setup }]),
    gap,
    { label: "Commits land on branch: ", text: branch },
    ...(push === null ? [] : [{ label: "Pushed to remote ", text: `${push.remote}: ${pushed[push.when]}` }]),
    ...listed("Also protected: ", protect),
    ...listed("Also forbidden: ", forbid),
    ...listed("Variables passed to checks: ", env),
    ...(sandbox === "none" ? [warning("Sandbox: none. ", unconfined)] : []),
    ...(scope_requests === "grant" ? [warning("Scope requests: granted. ", unasked)] : []),
    ...mounts.map(({ path, writable }) => ({
      label: `Agents and checks may ${writable ? "change" : "read"}: `,
      text: path,
    })),
  ];
}

/** A repository may bring such settings along, and users must not find out later. */
const unconfined = "Set-up, agents and checks can use your files and network, because run.sandbox says so.";
const unasked = "Agents get files outside their task without asking, except those that guard the checks.";

function warning(label: string, text: string): Item {
  return { label, text, style: "yellow", ours: true };
}

function listed(label: string, things: readonly string[]): Item[] {
  return things.length === 0 ? [] : [{ label, text: things.join(", ") }];
}

/** The inputs that came with the goal, by name and size: their bytes are approved without being shown. */
export function inputItems({ inputs }: Page): Item[] {
  if (inputs.length === 0) return [];
  return [
    heading("Inputs (given with the goal, approved as they are):"),
    ...inputs.map(({ path, bytes }): Item => ({ indent: 2, text: `${path} (${bytes} bytes)` })),
    gap,
  ];
}

/** Rules that a planner proposes, with the command that adopts them. */
export function proposedRulesItems({ proposed_rules }: Page): Item[] {
  if (proposed_rules === null) return [];
  const { file, difference, take_over } = proposed_rules;
  return [
    heading("Proposed rules, not in effect (approving does not change .stint/rules.md):"),
    { indent: 2, text: `${file} compared with .stint/rules.md:` },
    ...difference.map((text) => ({ ...diffItem(text), indent: 2 })),
    { indent: 2, label: "To adopt them: ", text: take_over },
    gap,
  ];
}
