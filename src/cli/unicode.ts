/** Whether the terminal draws more than ASCII, by what the environment says of its language. */
export function isUnicode(env: NodeJS.ProcessEnv): boolean {
  const locale = [env["LC_ALL"], env["LC_CTYPE"], env["LANG"]].find((value) => value !== undefined && value !== "");
  return /utf-?8/i.test(locale ?? "");
}
