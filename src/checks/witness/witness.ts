/** Where the witnesses of one check lie, and where they write, both as the check sees them. */
export interface WitnessPlace {
  /** The folder of witness sources, which nobody in the room can change. */
  readonly tools: string;
  /** A folder nobody has used before. */
  readonly reports: string;
}

/** What a family of witnesses needs in a check's environment. */
export interface WitnessEntries {
  readonly set?: Readonly<Record<string, string>>;
  /** Put in front of what the check itself has there, if it has anything. */
  readonly prepend?: Readonly<Record<string, { readonly value: string; readonly separator: string }>>;
}

/** How the runners of one family of tools are heard in a check with this environment. */
export type Witness = (place: WitnessPlace, env: Readonly<Record<string, string>>) => WitnessEntries;

/** Where a witness appends its lines. Named neutrally: code under test is not to learn from it that Stint is looking. */
export const reportsVariable = "ROOM_WITNESS";

/** A check's environment with the entries of all witnesses; what the check set itself still counts. */
export function withWitnesses(
  env: Readonly<Record<string, string>>,
  place: WitnessPlace,
  witnesses: readonly Witness[],
): Record<string, string> {
  const merged: Record<string, string> = { ...env, [reportsVariable]: place.reports };
  for (const { set = {}, prepend = {} } of witnesses.map((witness) => witness(place, env))) {
    Object.assign(merged, set);
    for (const [name, { value, separator }] of Object.entries(prepend)) {
      const own = merged[name] ?? "";
      merged[name] = own === "" ? value : `${value}${separator}${own}`;
    }
  }
  return merged;
}
