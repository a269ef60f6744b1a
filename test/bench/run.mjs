// Prints what speed and size the README and docs may claim, as ratios to a floor measured on the same machine.
import { compiled } from "./compiled.mjs";
import { depth } from "./depth.mjs";
import { makespan } from "./makespan.mjs";
import { prompts } from "./prompts.mjs";
import { map } from "./map.mjs";
import { repositorySize } from "./repository-size.mjs";
import { resources } from "./resources.mjs";
import { scale } from "./scale.mjs";
import { startUp } from "./start-up.mjs";
import { taskOverhead } from "./task-overhead.mjs";

delete process.env.NODE_EXTRA_CA_CERTS; // Where set, it triples node's own start and hides ours.
const wanted = process.argv.slice(2);
for (const [name, bench] of Object.entries({ "start-up": startUp, "task-overhead": taskOverhead, scale, prompts })) {
  if (wanted.length === 0 || wanted.includes(name)) bench();
}
if (wanted.includes("makespan")) await makespan(wanted);
if (wanted.includes("run")) await resources();
if (wanted[0] === "depth") depth(wanted.slice(1));
if (wanted[0] === "compiled") compiled();
if (wanted[0] === "repository-size") await repositorySize(wanted.slice(1));
if (wanted[0] === "map") map(wanted.slice(1));
if (wanted.length === 0) {
  console.log("\nMakespan takes more than an hour in all, so it is run by name: npm run bench -- makespan 4 work");
  console.log("So is what a task costs by files and by the tasks before it: npm run bench -- depth [files...] [disk]");
  console.log("And what a check costs that compiles, with caches and without, in Go: npm run bench -- compiled");
  console.log("So is what a run costs in memory and processor time, which takes some minutes: npm run bench -- run");
  console.log("And what commands cost in a repository of 100,000 files, ten minutes: npm run bench -- repository-size");
  console.log("And what a codebase map costs and finds: npm run bench -- map [another folder of code]");
}
