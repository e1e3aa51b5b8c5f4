import type { Rule } from "../../../runtime/values/access-rule.js";
import { didYouMean } from "../../../runtime/values/nearest.js";
import { listWords } from "../../../runtime/values/text.js";
import type { Path } from "../../../runtime/values/yaml/position.js";
import type { FieldAccess } from "../../kind/field.js";
import type { AccessName } from "../descriptor.js";
import { isMap } from "../shape.js";
import type { DescriptorIssue } from "../source.js";
import { type RuleScope, readRule } from "./rule.js";

/** The keys of `access` whose values are rules. */
export const accessNames = [
  "read",
  "write",
  "list",
  "get",
  "stats",
  "create",
  "update",
  "delete",
  "history",
  "purge",
] as const satisfies readonly AccessName[];

export const fieldAccessNames = ["read", "write"] as const;

/**
 * Reads the map below `access`: its valid rules, and an issue for everything else. Rules may refer to the owner only if
 * the descriptor defines one.
 */
export function readAccess(written: unknown, owner: "known" | "unknown"): ReadRules<AccessName> {
  return readRules(written, { path: ["access"], names: accessNames, owner });
}

/** Reads the `access` of the field at this path, as `readAccess` does. */
export function readFieldAccess(written: unknown, path: Path): ReadRules<keyof FieldAccess> {
  return readRules(written, { path: [...path, "access"], names: fieldAccessNames, owner: "never" });
}

interface ReadRules<Name extends string> {
  readonly access: Partial<Readonly<Record<Name, Rule>>>;
  readonly issues: readonly DescriptorIssue[];
}

/** The location of rules and the values that they may have. */
interface AccessScope<Name extends string> {
  readonly path: Path;
  readonly names: readonly Name[];
  readonly owner: RuleScope["owner"];
}

/** Names of rules that may grant access to callers without a token. */
export const publicNames = ["read", "list", "get", "stats", "create"] as const;

/** Names of rules whose entries may check a record as it is written. */
export const checkedNames = ["write", "create", "update"] as const;

function readRules<Name extends string>(
  written: unknown,
  scope: AccessScope<Name>,
): ReadRules<Name> {
  const { path, names } = scope;
  if (written === undefined) {
    return { access: {}, issues: [] };
  }
  if (!isMap(written)) {
    const message = `"access" must be a map from ${subjects(scope)} to rules`;
    const hint = "write { read: signed-in, write: [admin] }";
    return { access: {}, issues: [{ path, at: "value", message, hint }] };
  }
  const access: Partial<Record<Name, Rule>> = {};
  const issues: DescriptorIssue[] = [];
  for (const [key, value] of Object.entries(written)) {
    const name = names.find((candidate) => candidate === key);
    if (name === undefined) {
      issues.push(unknownAction(key, scope));
      continue;
    }
    const { rule, issues: found } = readRule(value, ruleScope(name, scope));
    issues.push(...found);
    if (rule !== null) access[name] = rule;
  }
  return { access, issues };
}

function subjects({ owner }: AccessScope<string>): string {
  return owner === "never" ? "read and write" : "actions";
}

function unknownAction(key: string, { path, names, owner }: AccessScope<string>): DescriptorIssue {
  const at = { path: [...path, key], at: "key" } as const;
  if (owner === "never") {
    const hint = "a field has rules for read and write";
    return { ...at, message: `the "access" of a field has no "${key}"`, hint };
  }
  const hint = didYouMean(key, names) ?? `the actions are ${listWords(names)}`;
  return { ...at, message: `"access" has no action "${key}"`, hint };
}

function ruleScope(name: string, { path, owner }: AccessScope<string>): RuleScope {
  const own = { path: [...path, name], name, owner };
  if (owner === "never") return { ...own, takesPublic: false, conditions: [] };
  const takesPublic = publicNames.some((one) => one === name);
  const isChecked = checkedNames.some((one) => one === name);
  return { ...own, takesPublic, conditions: isChecked ? ["where", "check"] : ["where"] };
}
