import { asks, type Sign } from "./sign.ts";

/** Who asks where it is called from has a name to compare with, perhaps some lines further down. */
function stackSign(of: RegExp, looksAtStack: RegExp, pattern: RegExp): Sign {
  return { of, what: asks, with: looksAtStack, pattern };
}

/** Code that looks at the stack, and at names that tests have. */
export const stackSigns: readonly Sign[] = [
  stackSign(
    /^python$/,
    /\b(?:inspect\.(?:stack|currentframe|getouterframes)|sys\._getframe|traceback\.(?:extract|format|walk)_stack|from inspect import.*(?:stack|currentframe))\b/,
    /["'][^"'\s]*test[^"'\s]*["']\s+(?:not\s+)?in\s|(?:==|!=|\bin\b|\b(?:startswith|endswith|match|search|fullmatch|find)\b)[^#]*["'](?:[^"'\s]*[/_.])?(?:tests?|pytest|unittest|conftest)(?![a-z])/,
  ),
  stackSign(
    /^java$/,
    /\bgetStackTrace\(\)|\bStackWalker\b/,
    /\.(?:endsWith|startsWith|contains|equals|matches|indexOf)\(\s*"[^"]*(?:Tests?\b|(?<![a-zA-Z])test[."]|junit|testng)|"[^"]*(?:Test|junit|testng)[^"]*"\.(?:equals|contains)/,
  ),
  stackSign(
    /^(?:javascript|typescript|tsx)$/,
    /new Error\([^)]*\)\.stack|\b(?:captureStackTrace|prepareStackTrace|getFileName\(\)|callsites\(\))/,
    /(?:\b(?:includes|endsWith|startsWith|test|match|indexOf|search)\(|===?)[^;]*(?:\.(?:test|spec)\.|node:test|vitest|\bjest\b|mocha|__tests__|["'`/]tests?\/)|\\\.(?:test|spec)\\\.[^;]*\.test\(/,
  ),
  stackSign(
    /^go$/,
    /\bruntime\.Callers?\b|\bdebug\.Stack\(\)/,
    /(?:Has(?:Suffix|Prefix)|Contains|Index|MatchString|[!=]=)[^/]*["`][^"`]*(?:_test\b|testing\.|\.Test|^Test)/,
  ),
  stackSign(
    /^ruby$/,
    /\bcaller(?:_locations)?\b/,
    /(?:include\?|end_with\?|start_with\?|match\??|=~|==|any\?)[^#]*(?:_spec|_test|test_|rspec|minitest|\/spec\b|\/test\b)/,
  ),
  stackSign(
    /^rust$/,
    /\bBacktrace::|\bcurrent_exe\(\)|thread::current\(\)/,
    /(?:contains|starts_with|ends_with|[!=]=)[^/]*"[^"]*(?:tests?::|_test|test_|deps)/,
  ),
];
