import { type Alias, isAlias, isMap, isScalar, isSeq, type Node, type Scalar, type YAMLMap } from "yaml";
import { planLimits } from "./limits.ts";
import { quoted } from "./problem.ts";

/** What is wrong, at an offset of the YAML text. */
export interface YamlFault {
  readonly code: string;
  readonly message: string;
  readonly offset: number;
}

/** Turns YAML nodes into plain values and collects what plain values cannot say safely. */
export function toPlain(root: Node | null): { readonly data: unknown; readonly faults: readonly YamlFault[] } {
  const conversion = new Conversion();
  const data = root === null || isScalar(root) ? {} : conversion.value(root, 0);
  return { data, faults: conversion.faults };
}

/** The text of a key as written, or undefined for a key that is a collection, an alias or nothing. */
export function keyText(key: unknown): string | undefined {
  if (!isScalar(key) || key.value === null) return undefined;
  return typeof key.value === "string" ? key.value : key.source;
}

class Conversion {
  readonly faults: YamlFault[] = [];
  private readonly anchors = new Map<string, Node>();
  private aliases = 0;
  private aliasedNodes = 0;
  private aliasDepth = 0;
  private stopped = false;

  value(node: unknown, depth: number): unknown {
    if (this.stopped || !this.admits(node as Node, depth)) return null;
    if (isAlias(node)) return this.aliased(node, depth);
    if (isMap(node)) return this.map(node, depth);
    if (isSeq(node)) return node.items.map((item) => this.value(item, depth + 1));
    return isScalar(node) ? this.scalar(node) : null;
  }

  private admits(node: Node, depth: number): boolean {
    if (depth > planLimits.yamlDepthMax) {
      return this.stop(node, "yaml-depth", `the YAML is nested deeper than ${planLimits.yamlDepthMax} levels`);
    }
    if (this.aliasDepth > 0) return ++this.aliasedNodes <= planLimits.yamlAliasedNodesMax || this.stopAliases(node);
    if (!isAlias(node) && node?.anchor !== undefined) this.anchors.set(node.anchor, node);
    return true;
  }

  private aliased(alias: Alias, depth: number): unknown {
    if (++this.aliases > planLimits.yamlAliasesMax) return this.stopAliases(alias);
    const target = this.anchors.get(alias.source);
    if (target === undefined) {
      return this.stop(alias, "yaml", `YAML: there is no anchor &${alias.source} before the alias *${alias.source}`);
    }
    this.aliasDepth++;
    const value = this.value(target, depth);
    this.aliasDepth--;
    return value;
  }

  private map(map: YAMLMap, depth: number): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    for (const { key, value } of map.items) {
      const name = this.key(key, map, result);
      const converted = this.value(value, depth + 1);
      if (name !== undefined) result[name] = converted;
    }
    return result;
  }

  private key(key: unknown, map: YAMLMap, seen: Record<string, unknown>): string | undefined {
    const node = isScalar(key) && key.range ? key : map;
    const name = keyText(key);
    if (name === undefined) this.fault(node, "yaml", "YAML: a key must be a word or a text");
    else if (name === "__proto__") this.fault(node, "proto-key", 'the key "__proto__" is not allowed');
    else if (Object.hasOwn(seen, name)) this.fault(node, "duplicate-key", `the key ${quoted(name)} appears twice`);
    else return name;
    return undefined;
  }

  private scalar(scalar: Scalar): unknown {
    const { value } = scalar;
    if (typeof value === "string" && value.includes("\0")) {
      this.fault(scalar, "yaml", "YAML: a text must not contain a NUL character");
    }
    if (value === null || ["string", "number", "boolean"].includes(typeof value)) return value;
    this.fault(scalar, "yaml", "YAML: only text, numbers, true and false are allowed here");
    return null;
  }

  private stopAliases(node: Node): false {
    const message = `the YAML repeats itself through more than ${planLimits.yamlAliasesMax} aliases or ${planLimits.yamlAliasedNodesMax} aliased values`;
    return this.stop(node, "yaml-aliases", message);
  }

  /** Ends the conversion, because continuing is what the attack wants. */
  private stop(node: Node, code: string, message: string): false {
    this.fault(node, code, message);
    this.stopped = true;
    return false;
  }

  private fault(node: Node, code: string, message: string): void {
    if (!this.stopped) this.faults.push({ code, message, offset: node?.range?.[0] ?? 0 });
  }
}
