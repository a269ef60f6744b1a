// Holds whoever calls it until the test lets go: touches `<file>.reached`, then waits for `<file>` to appear.
import { existsSync, watch, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";

export async function hold(file) {
  const appeared = new Promise((resolve) => {
    const watcher = watch(dirname(file), () => {
      if (existsSync(file)) done();
    });
    const done = () => {
      watcher.close();
      resolve();
    };
    if (existsSync(file)) done();
  });
  writeFileSync(`${file}.reached`, "");
  await appeared;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await hold(process.argv[2]);
