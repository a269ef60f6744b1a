import { makefiles } from "../../syntax/table.ts";
import { textOf, type Proposal, type Survey } from "./survey.ts";

/** The usual targets of the Makefile: the checks of a project of no known kind, and second choice in any other. */
export function makeChecks(survey: Survey, hasOthers: boolean): Proposal[] {
  const text = makefiles.map((name) => textOf(survey, "", name)).find((found) => found !== "") ?? "";
  const targets = new Set([...text.matchAll(/^([A-Za-z][\w-]*)\s*:(?![:=])/gm)].map(([, name]) => name));
  const doubt = hasOthers ? "the Makefile may well run what is above" : undefined;
  return wanted.filter((name) => targets.has(name)).map((name) => ({ command: `make ${name}`, dir: "", doubt }));
}

/** Only these names are ever written, as of scripts. */
const wanted = ["lint", "typecheck", "vet", "fmt-check", "format-check", "check", "test"];
