/** Comparisons besides equality: those of the API's lists, which the dashboard offers as well. */
export const operators = [
  "ne",
  "in",
  "nin",
  "gt",
  "gte",
  "lt",
  "lte",
  "contains",
  "starts",
  "ends",
] as const;
export type Operator = (typeof operators)[number];

export function isOperator(word: string): word is Operator {
  return (operators as readonly string[]).includes(word);
}

/** Operators that take a list of values. */
export function takesList(operator: Operator): operator is "in" | "nin" {
  return operator === "in" || operator === "nin";
}

/** The most values of one `in` or `nin`. */
export const maxListed = 100;

type Group = "equality" | "order" | "text";

const groups: Readonly<Record<Operator, Group>> = {
  ne: "equality",
  in: "equality",
  nin: "equality",
  gt: "order",
  gte: "order",
  lt: "order",
  lte: "order",
  contains: "text",
  starts: "text",
  ends: "text",
};

/**
 * The kinds of columns and those of fields, which call the kinds of numbers one and uploads two. True for those whose
 * values have an order, which `gt`, `gte`, `lt` and `lte` need.
 */
const ordered = {
  integer: true,
  decimal: true,
  double: true,
  number: true,
  date: true,
  timestamp: true,
  string: true,
  text: false,
  boolean: false,
  enum: false,
  id: false,
  belongsTo: false,
  file: false,
  image: false,
};

/** Why values of a kind do not allow the operator; null where they do. */
export function operatorProblem(kind: keyof typeof ordered, operator: Operator): string | null {
  if (kind === "text") return "Text fields cannot be filtered";
  switch (groups[operator]) {
    case "equality":
      return null;
    case "order":
      return ordered[kind] ? null : `"${operator}" is for numbers, dates, times and strings`;
    case "text":
      return kind === "string" ? null : `"${operator}" is for strings`;
    default:
      return groups[operator] satisfies never;
  }
}

/** Parses a list in a parameter: separated by commas; `\,` is a comma and `\\` a backslash. */
export function readList(
  text: string,
): { readonly values: readonly string[] } | { readonly problem: string } {
  const values: string[] = [];
  let value = "";
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === ",") {
      values.push(value);
      value = "";
      continue;
    }
    if (character !== "\\") {
      value += character;
      continue;
    }
    at += 1;
    const escaped = text.charAt(at);
    if (escaped !== "," && escaped !== "\\") {
      return { problem: "A backslash is written as \\\\, and a comma in a value as \\," };
    }
    value += escaped;
  }
  values.push(value);
  return values.length > maxListed ? { problem: `At most ${maxListed} values` } : { values };
}
