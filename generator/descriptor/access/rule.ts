import {
  type Conditional,
  isOwnerWord,
  ownerWord,
  publicWord,
  type Rule,
  signedInWord,
} from "../../../runtime/values/access-rule.js";
import { didYouMean } from "../../../runtime/values/nearest.js";
import type { Path } from "../../../runtime/values/yaml/position.js";
import { isMap } from "../shape.js";
import type { DescriptorIssue } from "../source.js";

/** The location of a rule and the values that it may have. */
export interface RuleScope {
  readonly path: Path;
  /** The key of the rule, such as `read`. */
  readonly name: string;
  /** Whether rules may refer to the owner: never for fields; for a resource if it has an owner. */
  readonly owner: "known" | "unknown" | "never";
  /** Whether the rule may admit callers without a token. */
  readonly takesPublic: boolean;
  /** The condition keys that entries may have; empty if none are allowed. */
  readonly conditions: readonly ("where" | "check")[];
}

type ReadRule =
  | { readonly rule: Rule; readonly issues: readonly [] }
  | { readonly rule: null; readonly issues: readonly DescriptorIssue[] };

/** The keys of an entry with conditions. */
const entryKeys = ["who", "where", "check"] as const;

/** Reads one rule: a word, an entry with conditions, or a list of both. */
export function readRule(value: unknown, scope: RuleScope): ReadRule {
  const issues = Array.isArray(value) ? listIssues(value, scope) : singleIssues(value, scope);
  return issues.length > 0 ? { rule: null, issues } : { rule: ruleOf(value), issues: [] };
}

/** Converts a value without issues to a rule. */
function ruleOf(value: unknown): Rule {
  if (value === "nobody" || value === signedInWord) return value;
  return (Array.isArray(value) ? value : [value]) as readonly (string | Conditional)[];
}

function listIssues(list: readonly unknown[], scope: RuleScope): readonly DescriptorIssue[] {
  const { path, name } = scope;
  if (list.length === 0) {
    const message = `the list of roles for "${name}" is empty`;
    return [{ path, at: "value", message, hint: "write nobody, or the permitted roles" }];
  }
  return list.flatMap((value, index) => {
    const place = { ...scope, path: [...path, index] };
    if (isMap(value) && scope.conditions.length > 0) return entryIssues(value, place);
    const found = roleIssues(value, place);
    if (found.length > 0 || list.indexOf(value) === index) return found;
    const message = `the role "${value}" appears twice for "${name}"`;
    return [{ path: place.path, at: "value", message, hint: "keep one of the two" }];
  });
}

function singleIssues(value: unknown, scope: RuleScope): readonly DescriptorIssue[] {
  const { path, name } = scope;
  if (value === "nobody" || value === signedInWord) return [];
  if (value === null) {
    return [{ path, at: "value", message: `"${name}" has no rule`, hint: aRule(scope) }];
  }
  if (isMap(value) && scope.conditions.length > 0) return entryIssues(value, scope);
  if (value === publicWord) return roleIssues(value, scope);
  if (typeof value === "string" && isOwnerWord(value)) return ownerIssues(scope);
  const message = `${JSON.stringify(value)} is not a rule for "${name}"`;
  return [{ path, at: "value", message, hint: instead(value, scope) ?? aRule(scope) }];
}

/** Returns the issues of `{ who, where, check }`. */
function entryIssues(
  entry: Readonly<Record<string, unknown>>,
  scope: RuleScope,
): readonly DescriptorIssue[] {
  const { path, name, conditions } = scope;
  const keys = Object.keys(entry).flatMap((key): readonly DescriptorIssue[] => {
    const at = { path: [...path, key], at: "key" } as const;
    if (!entryKeys.some((one) => one === key)) {
      const hint = didYouMean(key, entryKeys) ?? "its keys are who, where and check";
      return [{ ...at, message: `an entry of "${name}" has no key "${key}"`, hint }];
    }
    if (key === "check" && !conditions.includes("check")) {
      const hint =
        "check is for create, update and write: it tests the record as it will be stored";
      return [{ ...at, message: `an entry of "${name}" has no "check"`, hint }];
    }
    return [];
  });
  if (entry.who === undefined) {
    const message = `an entry of "${name}" needs "who"`;
    return [...keys, { path, at: "value", message, hint: anEntry }];
  }
  const at = { ...scope, path: [...path, "who"] };
  const who =
    entry.who === "nobody"
      ? [wrongWho(`an entry of "${name}" combines "who: nobody" with a condition`, at)]
      : roleIssues(entry.who, at);
  const bodies = (["where", "check"] as const).flatMap((key): readonly DescriptorIssue[] => {
    if (!Object.hasOwn(entry, key)) return [];
    const value = entry[key];
    if (isMap(value) && Object.keys(value).length > 0) return [];
    const what = isMap(value) ? "is empty" : "must be a map of conditions";
    const message = `"${key}" of an entry of "${name}" ${what}`;
    const hint = `write conditions on fields, such as { status: live }, or leave ${key} out`;
    return [{ path: [...path, key], at: "value", message, hint }];
  });
  return [...keys, ...who, ...bodies];
}

const anEntry = "for example { who: owner, where: { status: draft } }";

function wrongWho(message: string, { path }: RuleScope): DescriptorIssue {
  return { path, at: "value", message, hint: anEntry };
}

function publicIssues({ path, name, takesPublic }: RuleScope): readonly DescriptorIssue[] {
  if (takesPublic) return [];
  const message = `the rule for "${name}" cannot be ${publicWord}: the action needs a token`;
  const hint = `${publicWord} is allowed for read, list, get, stats and create`;
  return [{ path, at: "value", message, hint }];
}

function ownerIssues({ path, name, owner, ...scope }: RuleScope): readonly DescriptorIssue[] {
  switch (owner) {
    case "known":
      return [];
    case "unknown": {
      const message = `the rule for "${name}" names the ${ownerWord}, but the descriptor does not say who owns a record`;
      const hint = "add owner: with a link to users, at the top level of the descriptor";
      return [{ path, at: "value", message, hint }];
    }
    case "never": {
      const message = `the rule for "${name}" of a field cannot name the ${ownerWord}`;
      return [{ path, at: "value", message, hint: aRule({ path, name, owner, ...scope }) }];
    }
  }
}

/** Returns the issues of a word in a list or in `who`. */
function roleIssues(role: unknown, scope: RuleScope): readonly DescriptorIssue[] {
  const { path, name, owner } = scope;
  const issue = (message: string, hint: string): readonly DescriptorIssue[] => [
    { path, at: "value", message, hint },
  ];
  if (typeof role !== "string") {
    const isWord = typeof role === "number" || typeof role === "boolean";
    const hint = isWord ? `write it in quotes: "${role}"` : "write a role's name, such as admin";
    return issue(`a role for "${name}" must be text`, hint);
  }
  if (role.trim() === "" || role !== role.trim() || role.length > 255 || !isPrintable(role)) {
    return issue(
      `a role for "${name}" must be text of 1 to 255 characters without whitespace around it`,
      "write a short plain name, such as admin",
    );
  }
  if (role === "nobody" || (role === signedInWord && owner === "never")) {
    return issue(
      `"${role}" in the list for "${name}" is a rule, not a role`,
      `write ${role} without a list, or leave it out`,
    );
  }
  if (role === publicWord) {
    if (owner !== "never") return publicIssues(scope);
    return issue(`the rule for "${name}" of a field cannot be ${publicWord}`, aRule(scope));
  }
  return isOwnerWord(role) ? ownerIssues(scope) : [];
}

function isPrintable(text: string): boolean {
  return !/\p{Cc}|\p{Surrogate}/u.test(text);
}

/** Describes the values that a rule may have; rules of fields cannot refer to the owner. */
function aRule({ owner, takesPublic }: RuleScope): string {
  if (owner === "never") {
    return "a rule of a field is signed-in, nobody, or a list of roles such as [admin, editor]";
  }
  const words = [...(takesPublic ? [publicWord] : []), signedInWord, "nobody", ownerWord];
  return `a rule is ${words.join(", ")}, or a list such as [admin, ${ownerWord}]`;
}

/** Words that other tools use for access without signing in. */
const wordsForEverybody = ["all", "anonymous", "anyone", "everybody", "everyone", "guest"];

/** A hint based on the probable intent; null if that cannot be guessed. */
function instead(value: unknown, scope: RuleScope): string | null {
  if (typeof value !== "string") return null;
  const { owner, takesPublic } = scope;
  if (takesPublic && wordsForEverybody.includes(value.toLowerCase())) {
    return `write ${publicWord} for callers with or without a token`;
  }
  const words = [
    ...(takesPublic ? [publicWord] : []),
    signedInWord,
    "nobody",
    ...(owner === "never" ? [] : [ownerWord]),
  ];
  return didYouMean(value, words) ?? `a role goes in a list: [${value}]; ${aRule(scope)}`;
}
