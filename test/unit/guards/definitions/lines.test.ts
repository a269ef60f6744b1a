import { expect, test } from "vitest";
import { guardDefinitions } from "../../../../src/guards/definitions/guard.ts";
import { judged, type Edit, type Given } from "../../../rig/contents.ts";

const whys = async (edits: Record<string, Edit>, more: Partial<Given>) =>
  (await judged(guardDefinitions, { edits, ...more })).map(({ path, why }) => `${path} ${why}`);

test.each<[string, string, string, string]>([
  ["mvn test", "pom.xml", "<project>\n</project>\n", "<project>\n<skipTests>true</skipTests>\n</project>\n"],
  ["./mvnw verify", "pom.xml", "<project>\n<goal>test</goal>\n</project>\n", "<project>\n</project>\n"],
  [
    "./gradlew test",
    "build.gradle",
    "test {\n  useJUnitPlatform()\n}\n",
    "test {\n  useJUnitPlatform()\n  ignoreFailures = true\n}\n",
  ],
  ["gradle check", "build.gradle.kts", "tasks.test {\n  useJUnitPlatform()\n}\n", "tasks.test {\n}\n"],
  ["rake test", "Rakefile", 'task :test do\n  sh "ruby a.rb"\nend\n', "task :test do\nend\n"],
  [
    "task test",
    "Taskfile.yml",
    "tasks:\n  test:\n    cmds: [go test ./...]\n",
    "tasks:\n  test:\n    cmds: ['true']\n",
  ],
  ["npm test", ".npmrc", "fund=false\n", "fund=false\nscript-shell=/bin/true\n"],
  [
    "vendor/bin/phpunit",
    "phpunit.xml",
    "<phpunit>\n<directory>tests</directory>\n</phpunit>\n",
    "<phpunit>\n<directory>tests</directory>\n<exclude>tests/a</exclude>\n</phpunit>\n",
  ],
])("`%s`: what %s says is refused.", async (check, path, before, after) => {
  expect(await whys({ [path]: [before, after] }, { checks: [check] })).toHaveLength(1);
  expect(await whys({ [path]: [before, after] }, { checks: ["./other"] })).toEqual([]);
});

test.each<[string, string, string, string]>([
  [
    "mvn test",
    "pom.xml",
    "<project>\n<version>1</version>\n</project>\n",
    "<project>\n<version>2</version>\n<dependency>\n<exclusions><exclusion>a</exclusion></exclusions>\n</dependency>\n</project>\n",
  ],
  [
    "./gradlew test",
    "build.gradle",
    "dependencies {\n  implementation 'a:b:1'\n}\n",
    "dependencies {\n  implementation 'a:b:2'\n  testImplementation('c:d:1') { exclude group: 'x' }\n}\n",
  ],
  [
    "rake test",
    "Rakefile",
    'task :test do\n  sh "ruby a.rb"\nend\n',
    'task :test do\n  sh "ruby a.rb"\nend\ntask :docs do\n  sh "yard"\nend\n',
  ],
  ["npm test", ".npmrc", "fund=false\n", "fund=true\nsave-exact=true\n"],
])("`%s`: %s may change.", async (check, path, before, after) => {
  expect(await whys({ [path]: [before, after] }, { checks: [check] })).toEqual([]);
});

test("A new file may not bring in another shell, but may say how packages are saved.", async () => {
  const npm = (text: string) => whys({ ".npmrc": [null, text] }, { checks: ["npm test"] });
  expect(await npm("script-shell=/bin/true\n")).toHaveLength(1);
  expect(await npm("save-exact=true\n")).toEqual([]);
});
