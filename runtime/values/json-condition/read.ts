import {
  isValueOperator,
  likePattern,
  maxListed,
  maxSearchLength,
  takesList,
  type ValueOperator,
} from "../operators.js";
import { storedJsonIssues } from "../stored-json/rules.js";
import { isUnicode } from "../text.js";
import type { JsonTest } from "./test.js";

/** One condition on a JSON field, or why it is refused. */
export type ReadTest = (
  | { readonly test: JsonTest }
  | { readonly problem: string; readonly isKey?: true }
) & {
  /** The word of the condition: `has`, an operator, or `at`; null for the value as a whole. */
  readonly word: string | null;
  /** The index of the refused value in the operator's list. */
  readonly at?: number;
};

/** Maximum number of keys in the path to a member. */
const maxKeys = 8;

const form = 'must be null, or an object with "has", or with "at" and an operator';

/** Reads the conditions on a JSON field: an object with `has`, or with `at` and operators. */
export function readJsonTests(value: unknown): readonly ReadTest[] {
  if (value === null) return [{ word: null, test: { kind: "absent", keys: [] } }];
  if (typeof value !== "object" || Array.isArray(value)) return [{ word: null, problem: form }];
  const { has, at, ...operators } = { ...value } as Readonly<Record<string, unknown>>;
  const words = Object.entries(operators);
  const isOf = (key: string) => Object.hasOwn(value, key);
  if (!isOf("has") && !isOf("at") && words.length === 0) return [{ word: null, problem: form }];
  const keys = isOf("at") ? readKeys(at) : null;
  return [
    ...(isOf("has") ? [readHas(has)] : []),
    ...(typeof keys === "string" ? [{ word: "at", problem: keys } as const] : []),
    ...(isOf("at") && words.length === 0
      ? [{ word: "at", problem: 'needs an operator beside it, such as "eq"' } as const]
      : []),
    ...words.flatMap(([word, operand]): readonly ReadTest[] => {
      if (word !== "eq" && !isValueOperator(word)) {
        return [{ word, isKey: true, problem: "is not an operator" }];
      }
      if (keys === null) {
        return [{ word, isKey: true, problem: 'needs "at", which names a member' }];
      }
      return typeof keys === "string" ? [] : [{ word, ...readOperator(keys, word, operand) }];
    }),
  ];
}

function readHas(value: unknown): ReadTest {
  const [issue] = storedJsonIssues(value);
  if (issue !== undefined) return { word: "has", problem: `: ${issue.message}` };
  if (value === null) return { word: "has", problem: "must not be null" };
  return { word: "has", test: { kind: "has", value: JSON.stringify(value) } };
}

function readKeys(at: unknown): readonly string[] | string {
  const keys = typeof at === "string" ? at.split(".") : [];
  if (keys.length === 0 || keys.length > maxKeys || keys.includes("")) {
    return `must be 1 to ${maxKeys} keys joined by dots, such as "lines.0.name"`;
  }
  return keys.every(isUnicode) ? keys : ": Must be Unicode without NUL characters";
}

type Read = { readonly test: JsonTest } | { readonly problem: string; readonly at?: number };

function readOperator(keys: readonly string[], word: "eq" | ValueOperator, operand: unknown): Read {
  if (word === "eq") return equal(keys, [operand]);
  if (word === "ne") return opposite(equal(keys, [operand]));
  if (takesList(word)) {
    if (!Array.isArray(operand)) return { problem: "must be a list" };
    if (operand.length === 0 || operand.length > maxListed) {
      return { problem: `must have 1 to ${maxListed} values` };
    }
    const read = equal(keys, operand);
    return word === "nin" ? opposite(read) : read;
  }
  if (operand === null || operand === "") return { problem: ": Must not be empty" };
  if (word === "contains" || word === "starts" || word === "ends") {
    if (typeof operand !== "string") return { problem: "must be a string" };
    if (!isUnicode(operand)) return { problem: notUnicode };
    if ([...operand].length > maxSearchLength) {
      return { problem: `: At most ${maxSearchLength} characters` };
    }
    return { test: { kind: "like", keys, pattern: likePattern(word, operand) } };
  }
  if (typeof operand === "string" && !isUnicode(operand)) return { problem: notUnicode };
  if (typeof operand !== "string" && !Number.isFinite(operand)) {
    return { problem: "must be a string or a number" };
  }
  return { test: { kind: "compared", keys, operator: symbols[word], bound: operand as string } };
}

const symbols = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;
const notUnicode = ": Must be Unicode without NUL characters";

function opposite(read: Read): Read {
  return "test" in read ? { test: { kind: "not", part: read.test } } : read;
}

/** Tests whether the member equals one of the values; null matches a missing member. */
function equal(keys: readonly string[], operands: readonly unknown[]): Read {
  const wrong = operands.findIndex((operand) => !isScalar(operand));
  if (wrong >= 0) return { problem: "must be a string, a number, a boolean or null", at: wrong };
  const texts = operands.filter((operand) => operand !== null);
  if (texts.some((text) => typeof text === "string" && !isUnicode(text))) {
    return { problem: notUnicode };
  }
  const parts: JsonTest[] = [];
  if (texts.length > 0) {
    parts.push({ kind: "oneOf", keys, values: texts.map((text) => JSON.stringify(text)) });
  }
  if (operands.includes(null)) parts.push({ kind: "absent", keys });
  const [only] = parts;
  const part: JsonTest = parts.length === 1 && only !== undefined ? only : { kind: "any", parts };
  return { test: part };
}

function isScalar(value: unknown): boolean {
  return value === null || ["string", "boolean"].includes(typeof value) || Number.isFinite(value);
}
