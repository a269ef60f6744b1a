/** The bounds of this folder, each with its unit in the name and the reason beside it. */
export const syntaxLimits = {
  /** How often a parser of the map may come up for air, which it does every hundred steps; measured, code needs 0.004 to 0.015 for a character. */
  parseLooksMin: 300,
  parseLooksPerChar: 0.03,
  /** The same for a guard, which must read what is honest: calls without a blank between them need 0.08. */
  guardLooksPerChar: 0.2,
  /** Levels of tables in a TOML file; settings that people write have five or six. */
  settingsDepthMax: 64,
} as const;
