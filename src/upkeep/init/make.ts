import { makefiles } from "../../syntax/table.ts";
import { textOf, type Proposal, type Survey } from "./survey.ts";

/** Proposes the usual targets of the Makefile: the checks of a project of unknown kind, and a second choice in any other. */
export function makeChecks(survey: Survey, hasOthers: boolean): Proposal[] {
  const text = makefiles.map((name) => textOf(survey, "", name)).find((found) => found !== "") ?? "";
  const targets = new Set([...text.matchAll(/^([A-Za-z][\w-]*)\s*:(?![:=])/gm)].map(([, name]) => name));
  const doubt = hasOthers ? "the Makefile may run the checks above" : undefined;
  return wanted.filter((name) => targets.has(name)).map((name) => ({ command: `make ${name}`, dir: "", doubt }));
}

/** Only these names are ever written, so that a Makefile cannot bring in a command of its own. */
const wanted = ["lint", "typecheck", "vet", "fmt-check", "format-check", "check", "test"];
