import { builtInPrompts, promptNames } from "./built-in.ts";

/** The built-in prompts as files to start an override from, each with a comment that explains it. */
export function promptFiles(): ReadonlyMap<string, string> {
  return new Map(promptNames.map((name) => [`${name}.md`, `${commentOn(name)}\n${builtInPrompts[name].text}`]));
}

function commentOn(name: (typeof promptNames)[number]): string {
  const { about, variables, required } = builtInPrompts[name];
  const list = Object.entries(variables).map(([variable, meaning]) => `  {{${variable}}}  ${meaning}`);
  const must = required.map((variable) => `It must contain {{${variable}}}. `).join("");
  return `<!--
The built-in prompt "${name}": ${about}.
To override it, put your version into .stint/prompts/${name}.md (for a project, committed and approved)
or $XDG_CONFIG_HOME/stint/prompts/${name}.md (for yourself). This comment is never sent.

${must}It may contain:
${list.join("\n")}

A section, from one line that starts with "# " to the next, is left out if all variables in it are empty.
Check it with \`stint lint\`.
-->`;
}
