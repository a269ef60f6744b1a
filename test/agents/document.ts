import agents from "./agents.json" with { type: "json" };
import { type Expected, outcomes, type Trouble } from "./outcomes.ts";
import { type RouteName, routes } from "./routes.ts";

/** The tables of docs/agents.md, from the very data that the suite asserts. */
export function verifiedTables(): { readonly versions: string; readonly outcomes: string } {
  return { versions: versionTable(), outcomes: outcomeTable() };
}

function versionTable(): string {
  const rows = agents.map(({ name, package: npmName, version, oldest }) => {
    const through = Object.values(routes).filter(({ agent }) => agent === name);
    return [name, `\`${npmName}\``, oldest, version, through.map(({ name: route }) => route).join(", ")];
  });
  return table(["agent", "package", "oldest", "newest", "driven as"], rows);
}

function outcomeTable(): string {
  const names = Object.keys(outcomes) as RouteName[];
  const troubles = Object.keys(outcomes.claude) as Trouble[];
  const rows = troubles.map((trouble) => [trouble, ...names.map((name) => cell(outcomes[name][trouble]))]);
  return table(["the service", ...names], rows);
}

function cell(expected: Expected | undefined): string {
  if (expected === undefined) return "–";
  return expected.kind === "limit" && expected.until === "reset" ? "limit, until its reset" : expected.kind;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
