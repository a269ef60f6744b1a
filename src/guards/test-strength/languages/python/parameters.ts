import type { Node } from "../../../../syntax/parse.ts";
import type { Over } from "../../model.ts";
import { named } from "../force.ts";
import type { Found, Place } from "../found.ts";
import { lastName, positional } from "./names.ts";

/** Notes the parameters of a function: a helper may loop over the values of one. */
export function noteParameters(list: Node | undefined, { parameters }: Found): void {
  parameters.clear();
  for (const one of list === undefined ? [] : named(list)) {
    const inner = one.type === "typed_parameter" || one.type === "list_splat_pattern" ? (named(one)[0] ?? one) : one;
    const name = inner.type === "identifier" ? inner : (named(inner)[0] ?? inner);
    const isRest = [one.type, inner.type].includes("list_splat_pattern");
    if (parameters.size > 0 || !/^(?:self|cls)$/.test(name.text))
      parameters.set(name.text, { at: parameters.size, isRest });
  }
}

/** The parameter that a loop of a helper goes over, also by `zip` and `enumerate`. */
export function loopedOver(list: Node | undefined, { owner, over }: Place, { parameters }: Found): Over | null {
  if (owner.kind !== "helper" || list === undefined) return over;
  const lists = list.type === "call" && /^(?:zip|enumerate)$/.test(lastName(list)) ? positional(list) : [list];
  const found = lists.flatMap((one) => (one.type === "identifier" ? (parameters.get(one.text) ?? []) : []));
  return found[0] ?? over;
}
