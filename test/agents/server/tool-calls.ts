import type { Move, OfferedTool, ToolCall, Turn } from "./script.ts";

/** A move as a call of one of the tools that the agent offers, each under its own name and parameters. */
export function callOf({ tools }: Turn, move: Move): ToolCall {
  if ("edit" in move) return editCall(tools, move.edit, move.text);
  if ("shell" in move) return shellCall(tools, move.shell);
  throw new Error(`Internal error: expected a move with a tool, but was ${JSON.stringify(move)}`);
}

function editCall(tools: readonly OfferedTool[], path: string, text: string): ToolCall {
  const write = offered(tools, ["Write", "write_file", "write"]);
  if (write !== undefined) {
    const pathName = write.parameters.find((name) => /^(?:file_?path|path)$/i.test(name)) ?? "path";
    return { name: write.name, input: { [pathName]: path, content: text } };
  }
  const patch = offered(tools, ["apply_patch"]);
  if (patch === undefined) throw unknownTools(tools);
  const added = text.replace(/^(?=.)/gm, "+");
  const input = `*** Begin Patch\n*** Add File: ${path}\n${added}*** End Patch`;
  return { name: patch.name, input: patch.freeText ? input : { input, patchText: input } };
}

function shellCall(tools: readonly OfferedTool[], line: string): ToolCall {
  const shell = offered(tools, ["Bash", "bash", "run_shell_command", "exec_command"]);
  if (shell === undefined) throw unknownTools(tools);
  const wants = (name: string): boolean => shell.parameters.includes(name);
  return {
    name: shell.name,
    input: {
      [wants("cmd") ? "cmd" : "command"]: line,
      ...(wants("description") ? { description: "Run a command" } : {}),
    },
  };
}

function offered(tools: readonly OfferedTool[], names: readonly string[]): OfferedTool | undefined {
  return tools.find(({ name }) => names.includes(name));
}

function unknownTools(tools: readonly OfferedTool[]): Error {
  return new Error(
    `Internal error: expected a known tool, but the agent offers ${tools.map(({ name }) => name).join()}`,
  );
}
