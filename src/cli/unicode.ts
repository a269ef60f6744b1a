/** Whether the terminal draws more than ASCII, according to the locale in the environment. */
export function isUnicode(env: NodeJS.ProcessEnv): boolean {
  const locale = [env["LC_ALL"], env["LC_CTYPE"], env["LANG"]].find((value) => value !== undefined && value !== "");
  return /utf-?8/i.test(locale ?? "");
}
