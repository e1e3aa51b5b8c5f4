import { didYouMean } from "../../runtime/values/nearest.js";
import { listWords } from "../../runtime/values/text.js";
import type { Rule } from "../model/model.js";
import type { AccessName, WrittenAccess } from "./descriptor.js";
import { isMap } from "./shape.js";
import type { DescriptorIssue, Path } from "./source.js";

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
] as const satisfies readonly AccessName[];

/** Reads the map below `access`: its well-formed rules, and an issue for everything else. */
export function readAccess(written: unknown): {
  access: WrittenAccess;
  issues: readonly DescriptorIssue[];
} {
  if (written === undefined) {
    return { access: {}, issues: [] };
  }
  if (!isMap(written)) {
    const message = `"access" must be a map from actions to rules`;
    const hint = "write { read: signed-in, write: [admin] }";
    return { access: {}, issues: [{ path: ["access"], at: "value", message, hint }] };
  }
  const access: Partial<Record<AccessName, Rule>> = {};
  const issues: DescriptorIssue[] = [];
  for (const [key, value] of Object.entries(written)) {
    const name = accessNames.find((candidate) => candidate === key);
    if (name === undefined) {
      issues.push(unknownAction(key));
      continue;
    }
    const found = ruleIssues(value, name);
    issues.push(...found);
    if (found.length === 0 && isRule(value)) {
      access[name] = value;
    }
  }
  return { access, issues };
}

function unknownAction(key: string): DescriptorIssue {
  const hint = didYouMean(key, accessNames) ?? `the actions are ${listWords(accessNames)}`;
  const message = `"access" has no action "${key}"`;
  return { path: ["access", key], at: "key", message, hint };
}

const aRule = "a rule is signed-in, nobody, or a list of roles such as [admin, editor]";

function isRule(value: unknown): value is Rule {
  return value === "signed-in" || value === "nobody" || isTexts(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}

function ruleIssues(value: unknown, name: AccessName): readonly DescriptorIssue[] {
  const path = ["access", name];
  if (Array.isArray(value)) {
    const none: DescriptorIssue = {
      path,
      at: "value",
      message: `the list of roles for "${name}" is empty`,
      hint: "write nobody, or the roles that may",
    };
    return value.length === 0
      ? [none]
      : value.flatMap((_, index) => roleIssues(value, index, path));
  }
  if (isRule(value)) {
    return [];
  }
  if (value === null) {
    return [{ path, at: "value", message: `"${name}" has no rule`, hint: aRule }];
  }
  const word = JSON.stringify(value);
  return [{ path, at: "value", message: `${word} is not a rule`, hint: instead(value) ?? aRule }];
}

function roleIssues(
  list: readonly unknown[],
  index: number,
  rule: Path,
): readonly DescriptorIssue[] {
  const role = list[index];
  const issueAt = (message: string, hint: string): readonly DescriptorIssue[] => [
    { path: [...rule, index], at: "value", message, hint },
  ];
  if (typeof role !== "string") {
    const isWord = typeof role === "number" || typeof role === "boolean";
    const hint = isWord ? `write it in quotes: "${role}"` : "write a role's name, such as admin";
    return issueAt("a role must be text", hint);
  }
  if (role.trim() === "" || role !== role.trim() || role.length > 255 || !isPrintable(role)) {
    return issueAt(
      "a role must be text of 1 to 255 characters without whitespace around it",
      "write a short plain name, such as admin",
    );
  }
  if (role === "signed-in" || role === "nobody") {
    return issueAt(
      `"${role}" is a rule, not a role`,
      `write ${role} without a list, or leave it out`,
    );
  }
  if (role === "owner") {
    return issueAt(
      '"owner" cannot be a role',
      "a rule names roles; it cannot say whose record it is",
    );
  }
  return list.indexOf(role) < index
    ? issueAt(`the role "${role}" appears twice`, "keep one of the two")
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
function instead(value: unknown): string | null {
  if (typeof value !== "string" || value === "owner") {
    return null;
  }
  if (wordsForEverybody.includes(value.toLowerCase())) {
    return noPublicResource;
  }
  return (
    didYouMean(value, ["signed-in", "nobody"]) ?? `a role goes in a list: [${value}]; ${aRule}`
  );
}
