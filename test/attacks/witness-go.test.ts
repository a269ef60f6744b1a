import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { scene } from "../rig/heard.ts";

const hasGo = spawnSync("go", ["version"]).status === 0;
// The standard library is compiled once for all tests, and in CI for all runs.
const cache = resolve(process.env["STINT_CI_CACHE"] ?? ".cache", "go-build");
mkdirSync(cache, { recursive: true });
const env = { GOCACHE: cache };

const suite = `package calc

import ("fmt"; "os"; "os/exec"; "testing")

func TestAdd(t *testing.T) {
	for _, n := range []int{1, 2} {
		t.Run(fmt.Sprint(n), func(t *testing.T) { t.Parallel(); t.Log("unseen"); if Add(n, 1) != n+1 { t.Fatal(n) } })
	}
}
func TestLater(t *testing.T) { t.Skip("not here") }
func TestEnvironment(t *testing.T) {
	if os.Getenv("ROOM_WITNESS") + os.Getenv("GOFLAGS") != "" { t.Fatal(os.Environ()) }
	if out, err := exec.Command("go", "version").CombinedOutput(); err != nil { t.Fatal(string(out)) }
}
func ExampleAdd() { fmt.Println(Add(1, 2)) // Output: 3
}
func BenchmarkAdd(b *testing.B) { for i := 0; i < b.N; i++ { Add(1, 2) } }
`;
const files = {
  "go.mod": "module example.com/calc\n\ngo 1.20\n",
  "calc.go": "package calc\n\nfunc Add(a, b int) int { return a + b }\n",
  "calc_test.go": suite,
  "none/none.go": "package none\n",
};
const ofSuite = { runner: "go test", run: 5, skipped: 1, groups: { "calc_test.go": 5 } };
const nothing = { runner: "go test", run: 0, skipped: 0, groups: {} };

test.skipIf(!hasGo)("tests of go are heard, and nothing printed changes (needs go)", async () => {
  const { hear, plainly } = scene(files);
  const command = `GOCACHE=${cache} go test -count=1 ./...`;
  const heard = await hear(command);
  expect(heard).toMatchObject({ code: 0, tests: [ofSuite], unended: [] });
  expect(times(heard.output)).toBe(times(plainly(command).output));
  const benchmarks = await hear("go test -run '^$' -bench . -benchtime 1x", env);
  expect(benchmarks).toMatchObject({ code: 0, tests: [{ run: 1 }], unended: [] });
});

function times(output: string): string {
  return output.replaceAll(/[\d.]+m?s\b/g, "");
}

test.skipIf(!hasGo)("packages without tests and a filter that nothing matches run no test (needs go)", async () => {
  const { hear } = scene(files);
  for (const command of ["go test ./none", "go test -run Nothing ./..."])
    expect(await hear(command, env)).toMatchObject({ code: 0, tests: [nothing], unended: [] });
  expect(await hear("go vet ./none && go test -list . ./...", env)).toMatchObject({ code: 0, tests: [] });
});

test.skipIf(!hasGo)("failures, also of the build, stay what they are (needs go)", async () => {
  const { hear, plainly } = scene({ ...files, "calc.go": files["calc.go"].replace("a + b", "a - b") });
  const command = `GOCACHE=${cache} go test ./...`;
  const failed = await hear(command);
  expect(failed).toMatchObject({ code: 1, tests: [ofSuite] });
  // Parallel subtests come to their ends in any order.
  expect(times(failed.output).split("\n").toSorted()).toEqual(times(plainly(command).output).split("\n").toSorted());
  const unbuilt = scene({ ...files, "calc.go": "package calc\n" });
  const { code, output } = await unbuilt.hear(command);
  expect({ code, output: times(output) }).toEqual({ code: 1, output: times(unbuilt.plainly(command).output) });
});

const main = (body: string) => `package calc

import ("os"; "testing")

func TestMain(m *testing.M) { ${body} }
func TestBad(t *testing.T) { t.Error("bad") }
`;
const attacks = {
  "in init": { "quits.go": 'package calc\n\nimport "os"\n\nfunc init() { os.Exit(0) }\n' },
  "in TestMain": { "main_test.go": main("os.Exit(0)") },
};

test.skipIf(!hasGo).each(Object.entries(attacks))(
  "code that ends a binary of go's tests with success leaves it without an end: %s (needs go)",
  async (_, attack) => {
    const { hear, plainly } = scene({ ...files, ...attack });
    const command = `GOCACHE=${cache} go test ./...`;
    expect(plainly(command).code).toBe(0);
    expect(await hear(command)).toMatchObject({ code: 0, unended: ["go test"] });
  },
);

test.skipIf(!hasGo)("failures of go's tests are heard, though the exit code is forged (needs go)", async () => {
  const { hear, plainly } = scene({ ...files, "main_test.go": main("m.Run(); os.Exit(0)") });
  const command = `GOCACHE=${cache} go test ./...`;
  expect(plainly(command).code).toBe(0);
  expect(await hear(command)).toMatchObject({ code: 0, failed: 1, unended: [] });
});
