// Installs pinned programs into a folder of the cache: agents, or those of another list. One that cannot be installed is skipped, and said so.
// Usage: node test/agents/install.mjs [list.json folder]
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const [list = join(import.meta.dirname, "agents.json"), name = "agents"] = process.argv.slice(2);
const agents = JSON.parse(readFileSync(list, "utf8"));
const cache = join(resolve(process.env.STINT_CI_CACHE ?? ".cache"), name);

for (const agent of agents) {
  const folder = join(cache, `${agent.name}-${agent.version}`);
  if (existsSync(join(folder, ".ok"))) continue;
  const problem = install(agent, folder);
  if (problem !== undefined)
    process.stdout.write(`SKIPPED: ${agent.name} ${agent.version} could not be installed: ${problem}\n`);
}

/** A folder without `.ok` was left half done and is made anew. */
function install({ package: name, version, program }, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const flags = ["--prefix", folder, "--no-save", "--no-audit", "--no-fund"];
  const installed = call("npm", ["install", ...flags, `${name}@${version}`]);
  if (installed !== undefined) return installed;
  const started = call(join(folder, "node_modules", ".bin", program), ["--version"]);
  if (started !== undefined) return started;
  writeFileSync(join(folder, ".ok"), "");
  return undefined;
}

function call(program, args) {
  const { status, error, stderr } = spawnSync(program, args, { encoding: "utf8", stdio: ["ignore", "ignore", "pipe"] });
  if (error !== undefined) return error.message;
  return status === 0 ? undefined : `${program} ended with ${status}: ${stderr.trim().split("\n").at(-1)}`;
}
