/** Comparisons besides equality, in lists of the API and in the dashboard. */
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
  "same",
  "all",
  "has",
  "hasAny",
  "hasAll",
] as const;
export type Operator = (typeof operators)[number];

export function isOperator(word: string): word is Operator {
  return (operators as readonly string[]).includes(word);
}

/** Operators that compare a value itself, as its type defines. */
export type ValueOperator = Exclude<Operator, "same" | "all" | "has" | "hasAny" | "hasAll">;

export function isValueOperator(word: string): word is ValueOperator {
  return isOperator(word) && !["same", "all", "has", "hasAny", "hasAll"].includes(word);
}

/** Operators that take a list of values. */
export type ListOperator = "in" | "nin" | "all" | "hasAny" | "hasAll";

export function takesList(operator: Operator): operator is ListOperator {
  return listOperators.some((one) => one === operator);
}

const listOperators: readonly Operator[] = ["in", "nin", "all", "hasAny", "hasAll"];

/** Maximum number of values for an operator that takes a list. */
export const maxListed = 100;

/**
 * Maximum number of conditions in a `where`. Each value or operator of a field counts, and so does each test whether a
 * related record exists, because it requires a lookup.
 */
export const maxConditions = 50;

/** Maximum nesting depth of a `where`, including the outermost object. */
export const maxDepth = 8;

/** Maximum length of a text for `q`, `contains`, `starts` and `ends`, in code points. */
export const maxSearchLength = 200;

/** The `like` pattern for an operator, with wildcards in the text escaped. */
export function likePattern(operator: "contains" | "starts" | "ends", text: string): string {
  const literal = text.replace(/[\\%_]/g, "\\$&");
  return `${operator === "starts" ? "" : "%"}${literal}${operator === "ends" ? "" : "%"}`;
}

/**
 * How the values of a kind can be compared. `whole`: for equality; `order`: also by order; `text`: also by substring.
 * `links`: by the ids in a list. `list`: by elements; `texts`: also by a substring of an element. `files`: only with
 * the empty list.
 */
export type Comparisons = "whole" | "order" | "text" | "links" | ListComparisons;

export type ListComparisons = "list" | "texts" | "files";

/** Whether values are lists of anything but links. */
export function isOfLists(comparisons: Comparisons | null): comparisons is ListComparisons {
  return comparisons === "list" || comparisons === "texts" || comparisons === "files";
}

const needed: Readonly<Record<Operator, Comparisons>> = {
  ne: "whole",
  in: "whole",
  nin: "whole",
  gt: "order",
  gte: "order",
  lt: "order",
  lte: "order",
  contains: "text",
  starts: "text",
  ends: "text",
  same: "text",
  all: "links",
  has: "list",
  hasAny: "list",
  hasAll: "list",
};

/** Why values with these comparisons do not allow the operator; null if they do. */
export function operatorProblem(comparisons: Comparisons, operator: Operator): string | null {
  if (isOfLists(comparisons)) {
    if (operator === "ne") return null;
    if (comparisons === "files") return `"${operator}" is not for lists of files`;
    if (needed[operator] === "list") return null;
    if (operator !== "contains") return `"${operator}" is not for lists`;
    return comparisons === "texts" ? null : `"${operator}" is for strings and lists of strings`;
  }
  switch (needed[operator]) {
    case "list":
    case "texts":
    case "files":
      return `"${operator}" is for lists`;
    case "whole":
      return null;
    case "order":
      return comparisons === "whole" || comparisons === "links"
        ? `"${operator}" is for numbers, dates, times and strings`
        : null;
    case "links":
      return comparisons === "links" ? null : `"${operator}" is for lists of links`;
    case "text":
      return comparisons === "text" ? null : `"${operator}" is for strings`;
    default:
      return needed[operator] satisfies never;
  }
}

/** The values of a list in parameters, or why it is invalid. */
type List = { readonly values: readonly string[] } | { readonly problem: string };

/** Parses the lists in query parameters, and concatenates them. */
export function readLists(texts: readonly string[]): List {
  const values: string[] = [];
  for (const text of texts) {
    const list = readList(text);
    if ("problem" in list) return list;
    values.push(...list.values);
  }
  return values.length > maxListed ? { problem: `At most ${maxListed} values` } : { values };
}

/** Parses a comma-separated list in a query parameter; `\,` stands for a comma and `\\` for a backslash. */
function readList(text: string): List {
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
  return { values };
}
