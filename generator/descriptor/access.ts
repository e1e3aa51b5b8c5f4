import { isOwnerWord, ownerWord, type Rule } from "../../runtime/values/access-rule.js";
import { didYouMean } from "../../runtime/values/nearest.js";
import { listWords } from "../../runtime/values/text.js";
import type { Path } from "../../runtime/values/yaml/position.js";
import type { FieldAccess } from "../kind/field.js";
import type { AccessName } from "./descriptor.js";
import { isMap } from "./shape.js";
import type { DescriptorIssue } from "./source.js";

/** The names that take a rule below `access`. */
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
] as const satisfies readonly AccessName[];

export const fieldAccessNames = ["read", "write"] as const;

/**
 * Reads the map below `access`: its well-formed rules, and an issue for everything else. Rules may name
 * the owner where the descriptor says who that is.
 */
export function readAccess(written: unknown, hasOwner: boolean): ReadRules<AccessName> {
  const owner = hasOwner ? "known" : "unknown";
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

/** Where rules are written, and what they may say. */
interface RuleScope<Name extends string> {
  readonly path: Path;
  readonly names: readonly Name[];
  /** Rules of fields never name the owner; those of a resource, where it has one. */
  readonly owner: "known" | "unknown" | "never";
}

function readRules<Name extends string>(written: unknown, scope: RuleScope<Name>): ReadRules<Name> {
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
    const found = ruleIssues(value, name, scope);
    issues.push(...found);
    if (found.length === 0 && isRule(value)) {
      access[name] = value;
    } else if (found.length === 0) {
      access[name] = [String(value)];
    }
  }
  return { access, issues };
}

function subjects({ owner }: RuleScope<string>): string {
  return owner === "never" ? "read and write" : "actions";
}

function unknownAction(key: string, { path, names, owner }: RuleScope<string>): DescriptorIssue {
  const at = { path: [...path, key], at: "key" } as const;
  if (owner === "never") {
    const hint = "a field has rules for read and write";
    return { ...at, message: `the "access" of a field has no "${key}"`, hint };
  }
  const hint = didYouMean(key, names) ?? `the actions are ${listWords(names)}`;
  return { ...at, message: `"access" has no action "${key}"`, hint };
}

/** What a rule may be; those of fields never name the owner. */
function aRule({ owner }: RuleScope<string>): string {
  return owner === "never"
    ? "a rule of a field is signed-in, nobody, or a list of roles such as [admin, editor]"
    : `a rule is signed-in, nobody, ${ownerWord}, or a list such as [admin, ${ownerWord}]`;
}

function isRule(value: unknown): value is Rule {
  return value === "signed-in" || value === "nobody" || isTexts(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}

function ruleIssues(
  value: unknown,
  name: string,
  scope: RuleScope<string>,
): readonly DescriptorIssue[] {
  const path = [...scope.path, name];
  if (Array.isArray(value)) {
    const none: DescriptorIssue = {
      path,
      at: "value",
      message: `the list of roles for "${name}" is empty`,
      hint: "write nobody, or the roles that may",
    };
    return value.length === 0
      ? [none]
      : value.flatMap((_, index) => roleIssues(value, index, name, scope));
  }
  if (isRule(value)) {
    return [];
  }
  if (value === null) {
    return [{ path, at: "value", message: `"${name}" has no rule`, hint: aRule(scope) }];
  }
  if (typeof value === "string" && isOwnerWord(value)) {
    return ownerIssues(name, path, scope);
  }
  const word = JSON.stringify(value);
  const hint = instead(value, scope) ?? aRule(scope);
  return [{ path, at: "value", message: `${word} is not a rule for "${name}"`, hint }];
}

function ownerIssues(
  name: string,
  path: Path,
  scope: RuleScope<string>,
): readonly DescriptorIssue[] {
  switch (scope.owner) {
    case "known":
      return [];
    case "unknown": {
      const message = `the rule for "${name}" names the ${ownerWord}, and the descriptor does not say who owns a record`;
      const hint = "write owner: and a required link to users, at the top of the descriptor";
      return [{ path, at: "value", message, hint }];
    }
    case "never": {
      const message = `the rule for "${name}" of a field cannot name the ${ownerWord}`;
      return [{ path, at: "value", message, hint: aRule(scope) }];
    }
  }
}

function roleIssues(
  list: readonly unknown[],
  index: number,
  name: string,
  scope: RuleScope<string>,
): readonly DescriptorIssue[] {
  const role = list[index];
  const path = [...scope.path, name, index];
  const issueAt = (message: string, hint: string): readonly DescriptorIssue[] => [
    { path, at: "value", message, hint },
  ];
  if (typeof role !== "string") {
    const isWord = typeof role === "number" || typeof role === "boolean";
    const hint = isWord ? `write it in quotes: "${role}"` : "write a role's name, such as admin";
    return issueAt(`a role for "${name}" must be text`, hint);
  }
  if (role.trim() === "" || role !== role.trim() || role.length > 255 || !isPrintable(role)) {
    return issueAt(
      `a role for "${name}" must be text of 1 to 255 characters without whitespace around it`,
      "write a short plain name, such as admin",
    );
  }
  if (role === "signed-in" || role === "nobody") {
    return issueAt(
      `"${role}" in the list for "${name}" is a rule, not a role`,
      `write ${role} without a list, or leave it out`,
    );
  }
  const issues = isOwnerWord(role) ? ownerIssues(name, path, scope) : [];
  if (issues.length > 0) return issues;
  return list.indexOf(role) < index
    ? issueAt(`the role "${role}" appears twice for "${name}"`, "keep one of the two")
    : [];
}

function isPrintable(text: string): boolean {
  return !/\p{Cc}|\p{Surrogate}/u.test(text);
}

/** What other tools call a resource that needs no sign-in. */
const wordsForEverybody: readonly string[] = [
  "all",
  "anonymous",
  "anyone",
  "everybody",
  "everyone",
  "public",
];

const noPublicResource =
  "every resource needs a token: for data without one, add your own route with publicRoute to server.ts";

/** A hint based on what was probably meant; null for no guess. */
function instead(value: unknown, scope: RuleScope<string>): string | null {
  if (typeof value !== "string") {
    return null;
  }
  if (wordsForEverybody.includes(value.toLowerCase())) {
    return noPublicResource;
  }
  const words = ["signed-in", "nobody", ...(scope.owner === "never" ? [] : [ownerWord])];
  return didYouMean(value, words) ?? `a role goes in a list: [${value}]; ${aRule(scope)}`;
}
