import { asks, deafens, looks, type Sign } from "./sign.ts";
import { stackSigns } from "./stack.ts";

const any = /./;
const scripts = /^(?:javascript|typescript|tsx)$/;
const python = /^python$/;
/** All signs that a single line can show. */
export const signs: readonly Sign[] = [
  ...stackSigns,
  {
    of: any,
    what: asks,
    pattern:
      /\b(?:NODE_TEST_CONTEXT|VITEST(?:_WORKER_ID|_POOL_ID|_MODE)?|JEST_WORKER_ID|PYTEST_(?:CURRENT_TEST|VERSION|XDIST_\w+)|RUST_TEST_THREADS|NEXTEST(?:_\w+)?|MOCHA_\w+|__vitest_\w+__|__coverage__)\b(?!["']?\s*:(?!:))/,
  },
  { of: any, what: looks, pattern: /\bROOM_(?:WITNESS|ID)\b(?!["']?\s*:|=\$)|["'`\w}]\/environ["'`]/ },
  {
    of: scripts,
    what: asks,
    pattern: /\bprocess\.(?:argv|execArgv)\b[^;]*["'`]--?(?:test|experimental-test\w*)["'`]/,
  },
  {
    of: scripts,
    what: asks,
    pattern:
      /\b(?:process\.)?argv\b[^;]*(?:\b(?:includes|test|match|some|indexOf|endsWith)\b)[^;]*\b(?:vitest|jest|mocha|\.test\.|_test|node:test|spec)/,
  },
  {
    of: scripts,
    what: asks,
    pattern:
      /typeof\s+(?:(?:globalThis|global|window)\.)?(?:describe|it|test|expect|jest|vi|beforeEach)\b\s*[!=]==?|\b(?:globalThis|global)\.(?:describe|it|expect|jest|vi|beforeEach)\b/,
  },
  {
    of: scripts,
    what: asks,
    pattern: /\bstack\b[^;]*(?:\.test\.|\.spec\.|["'`/](?:tests?|__tests__|node:test|vitest|jest|mocha)\b|_test)/,
  },
  {
    of: python,
    what: asks,
    pattern:
      /["'](?:pytest|_pytest|unittest|nose)["']\s+(?:not\s+)?in\s+sys\.modules|sys\.modules\.get\(\s*["'](?:pytest|_pytest|unittest)["']|["'](?:pytest|unittest|test)["']\s+(?:not\s+)?in\s+(?:sys\.argv|str\(sys\.argv)/,
  },
  {
    of: python,
    what: asks,
    pattern:
      /(?:inspect\.stack|sys\._getframe|traceback\.(?:extract|format)_stack|currentframe)\b.*(?:test|pytest)|(?:co_filename|co_name)\b[^#]*["'](?:test_|_test|tests?\b|pytest|conftest|unittest)/,
  },
  {
    of: /^go$/,
    what: asks,
    pattern:
      /flag\.Lookup\(\s*["`]test\.|\btesting\.Testing\(\)|os\.Args\b[^;]*["`][^"`]*(?:\.test|-test\.)|runtime\.Caller\b.*_test/,
  },
  {
    of: /^java$/,
    what: asks,
    pattern: /getStackTrace\(\)[^;]*(?:junit|Test)|Class\.forName\(\s*"org\.(?:junit|testng)/,
  },
  {
    of: /^ruby$/,
    what: asks,
    pattern:
      /defined\?\(\s*(?:RSpec|Minitest|Test::Unit)|\bcaller(?:_locations)?\b.*(?:_spec|_test|rspec|minitest)|\$(?:0|PROGRAM_NAME)\b.*(?:rspec|minitest)/,
  },
  { of: /^rust$/, what: asks, pattern: /current_exe\(\)[^;]*deps|thread::current\(\)\s*\.name\(\)[^;]*test/ },
  {
    of: scripts,
    what: deafens,
    pattern:
      /\bassert(?:\.strict)?\.(?:\w*[eE]qual|ok|throws|rejects|match|fail)\s*=(?!=)|\bObject\.is\s*=(?!=)|\b(?:Module|module)\._(?:load|resolveFilename)\s*=(?!=)|\bModule\.prototype\.require\s*=(?!=)|\b(?:globalThis|global)\.(?:expect|it|test|describe|assert)\s*=(?!=)|\bprocess\.(?:exit|reallyExit|emit)\s*=(?!=)|defineProperty\(\s*process\s*,\s*["'`](?:exitCode|exit)/,
  },
  {
    of: python,
    what: deafens,
    pattern:
      /\bTestCase\.(?:assert\w+|fail\w*|run)\s*=(?!=)|setattr\(\s*(?:unittest\.)?TestCase|\bbuiltins\.(?:AssertionError|__import__)\s*=(?!=)|\bunittest\.mock\._\w+\s*=(?!=)|_pytest\.\w+(?:\.\w+)*\s*=(?!=)|\.outcome\s*=\s*["']passed|sys\.modules\[\s*["'](?:pytest|_pytest|unittest)/,
  },
  {
    of: python,
    what: deafens,
    pattern:
      /\bitems\[:\]\s*=|\bitems\.clear\(\)|\bcollect_ignore(?:_glob)?\b\s*[+=]|\bsession\.exitstatus\s*=(?!=)|\bpytest\.exit\(/,
  },
];
