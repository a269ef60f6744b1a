import type { Move, OfferedTool, ToolCall, Turn } from "./script.ts";

/** A move as a call of one of the tools that the agent offers, each under its own name and parameters. */
export function callOf({ tools }: Turn, move: Move): ToolCall {
  if ("edit" in move) return editCall(tools, move.edit, move.text);
  if ("read" in move) return readCall(tools, move.read);
  if ("change" in move) return changeCall(tools, move);
  if ("shell" in move) return shellCall(tools, move.shell);
  throw new Error(`Internal error: expected a move with a tool, but was ${JSON.stringify(move)}`);
}

function editCall(tools: readonly OfferedTool[], path: string, text: string): ToolCall {
  const write = offered(tools, ["Write", "write_file", "write"]);
  if (write !== undefined) return { name: write.name, input: { [pathOf(write)]: path, content: text } };
  const added = text.replace(/^(?=.)/gm, "+");
  return patchCall(tools, `*** Add File: ${path}\n${added}`);
}

function readCall(tools: readonly OfferedTool[], path: string): ToolCall {
  const read = offered(tools, ["Read", "read_file", "read"]);
  return read === undefined ? shellCall(tools, `cat ${path}`) : { name: read.name, input: { [pathOf(read)]: path } };
}

function changeCall(tools: readonly OfferedTool[], { change: path, from, to }: Extract<Move, { change: string }>) {
  const edit = offered(tools, ["Edit", "replace", "edit"]);
  if (edit === undefined) return patchCall(tools, `*** Update File: ${path}\n@@\n-${from}\n+${to}\n`);
  const [before = "old_string", after = "new_string"] = ["old", "new"].map((word) =>
    edit.parameters.find((name) => name.toLowerCase().startsWith(word)),
  );
  const why = edit.parameters.includes("instruction") ? { instruction: "Change it" } : {};
  return { name: edit.name, input: { [pathOf(edit)]: path, [before]: from, [after]: to, ...why } };
}

function patchCall(tools: readonly OfferedTool[], patch: string): ToolCall {
  const tool = offered(tools, ["apply_patch"]);
  if (tool === undefined) throw unknownTools(tools);
  const input = `*** Begin Patch\n${patch}*** End Patch`;
  return { name: tool.name, input: tool.freeText ? input : { input, patchText: input } };
}

function pathOf({ parameters }: OfferedTool): string {
  return parameters.find((name) => /^(?:file_?path|path)$/i.test(name)) ?? "path";
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
