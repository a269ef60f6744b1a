import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeChain, runChain } from "./chain.mjs";
import { median, sh, timed } from "./measure.mjs";

/**
 * What a verification costs whose check compiles, in a chain of tasks that each add a Go package with a test. The floor is
 * the check of such a task by hand, where everything else has been compiled before; the first line has the caches of rooms,
 * the second, without layers, an empty HOME for each check.
 */
export function compiled() {
  console.log("\nChecks that compile (Go, with net/http): milliseconds of a verification, against the check by hand");
  console.log("sandbox     task 1     last   median      end     by hand   ratio");
  for (const [sandbox, tasks] of Object.entries({ auto: 6, none: 2 })) {
    const root = mkdtempSync(join(tmpdir(), "stint-compiled-"));
    try {
      const chain = makeChain(root, {
        ...{ files: { "go.mod": goMod, ...packageOf("base") }, sandbox, tasks },
        does: Object.entries(packageOf("$STINT_TASK"))
          .map(([path, text]) => `mkdir -p "$STINT_TASK"\ncat > "${path}" <<END\n${text}END`)
          .join("\n"),
        creates: (id) => Object.keys(packageOf(id)).join(", "),
        check: (id) => `go test ./base/... ./${id}/...`,
      });
      const floor = byHand(root);
      const { verifications, end } = runChain(root, chain);
      const typical = median(verifications);
      const cells = [verifications[0], verifications.at(-1), typical, end].map((ms) => String(ms).padStart(9)).join("");
      const ratio = (typical / floor).toFixed(2).padStart(8);
      console.log(`${sandbox.padEnd(9)}${cells}${floor.toFixed(0).padStart(12)}${ratio}x`);
    } finally {
      sh("chmod", ["-R", "u+w", root]);
      rmSync(root, { recursive: true, force: true });
    }
  }
}

const goMod = "module example.com/bench\n\ngo 1.22\n";

function packageOf(name) {
  const code = `package ${name}\n\nimport "net/http"\n\nfunc Answer() int { return http.StatusOK }\n`;
  const test = `package ${name}\n\nimport "testing"\n\nfunc TestAnswer(t *testing.T) {\n\tif Answer() != 200 {\n\t\tt.Fatal("no")\n\t}\n}\n`;
  return { [`${name}/answer.go`]: code, [`${name}/answer_test.go`]: test };
}

function byHand(root) {
  const dir = join(root, "by-hand");
  const env = { ...process.env, HOME: join(root, "home") };
  const write = (name) => {
    mkdirSync(join(dir, name), { recursive: true });
    for (const [path, text] of Object.entries(packageOf(name))) writeFileSync(join(dir, path), text);
  };
  write("base");
  writeFileSync(join(dir, "go.mod"), goMod);
  const times = ["a", "b", "c", "d"].map((name) => {
    write(name);
    return timed(() => sh("go", ["test", "./base/...", `./${name}/...`], { cwd: dir, env }));
  });
  // The first one compiles all that they have in common.
  return median(times.slice(1));
}
