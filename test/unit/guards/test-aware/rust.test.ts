import { expect, test } from "vitest";
import { foundIn } from "../../../rig/test-aware.ts";

test.each([
  ["src/a.rs", "pub fn a() -> u8 {\n    if cfg!(test) { 1 } else { 0 }\n}"],
  ["src/a.rs", 'pub fn a() {\n    println!("{}", cfg!(any(test, feature = "x")));\n}'],
  ["src/a.rs", "pub fn a() -> u8 {\n    #[cfg(test)]\n    return 1;\n    0\n}"],
  [
    "src/a.rs",
    "#[cfg(test)]\npub fn a() -> u8 {\n    1\n}\n/// Real.\n#[cfg(not(test))]\npub fn a() -> u8 {\n    0\n}",
  ],
])("Code that does something else for tests is refused, %s: %s", async (path, text) => {
  expect(await foundIn(path, text)).toEqual(["checks whether a test is running"]);
});

test.each([
  ["src/a.rs", "#[cfg(test)]\nmod tests { #[test] fn a() { assert_eq!(1, 1); } }"],
  [
    "src/a.rs",
    "#[cfg(test)]\nuse std::fmt;\n#[cfg(test)]\nfn sample() -> u8 {\n    u8::from(cfg!(test))\n}\nimpl A {\n    #[cfg(test)]\n    fn fake() -> A {\n        A\n    }\n}",
  ],
  [
    "src/a.rs",
    "#![cfg_attr(not(test), no_std)]\n#[cfg(not(test))]\nfn main() {}\nfn b() { let d = cfg!(debug_assertions); }",
  ],
  ["src/a.rs", '#[cfg(feature = "test")]\nfn a() {}\nfn b() {\n    #[cfg(unix)]\n    c();\n}'],
])("What is there for tests alone, or for another reason, is honest, %s: %s", async (path, text) => {
  expect(await foundIn(path, text)).toEqual([]);
});
