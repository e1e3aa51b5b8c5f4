import { z } from "zod";
import type { Comparisons } from "../../../../values/operators.js";
import { type Kind, kindDefaults } from "../kind.js";
import type { Addition } from "./addition.js";
import {
  alreadyThere,
  changedList,
  type ListChange,
  listElements,
  readListChange,
  repeatedIn,
} from "./list-change.js";
import { required } from "./schema.js";

/** Lists with elements of the given kind, as PostgreSQL arrays. */
export function listKind(element: Kind): Kind {
  return {
    ...kindDefaults,
    sqlType: `${element.sqlType}[]`,
    json: element.json,
    showsText: element.showsText,
    isList: true,
    comparisons: comparisonsOf(element),
    read: () => ({ problem: element.isFile ? filesCompared : elementsCompared }),
    readOperand: element.readOperand,
    canHold: element.canHold,
    isSearched: element.isSearched,
    isFile: element.isFile,
    missing: element.missing,
    addition: listAddition(element.json),
  };
}

/** How a PATCH adds elements to a list and removes others; `json` is the type of an element. */
export function listAddition(json: Kind["json"]): Addition {
  return {
    read: (sent, schema) => readListChange(sent, schema, json),
    sum: (value) => `to_json(coalesce(${value}, '{}'))::text`,
    result: (text, change) => {
      const value = changedList(JSON.parse(text), change as ListChange);
      return { value, isExact: true };
    },
  };
}

/** The message for requests that compare lists with an unsupported operator. */
export const elementsCompared = "Lists are compared by has, hasAny and hasAll";
export const filesCompared = "Lists of files are compared only with the empty list";

function comparisonsOf({ isFile, comparisons }: Kind): Comparisons {
  if (isFile) return "files";
  return comparisons === "text" ? "texts" : "list";
}

export interface ListRules {
  readonly maxItems: number;
  readonly minItems?: number;
  /** Whether no element may be repeated. */
  readonly distinct?: true;
}

/** A list of values, each validated by the schema of an element. */
export function listOf<T>(element: z.ZodType<T>, rules: ListRules): z.ZodType<T[]> {
  const isDistinct = rules.distinct === true;
  const schema = z.unknown().transform((sent, context): T[] => {
    const problem = listProblem(sent, rules);
    if (problem !== null || !Array.isArray(sent)) {
      context.addIssue({ code: "custom", message: problem ?? mustBeList });
      return z.NEVER;
    }
    const values = sent.map((value: unknown, at): T => {
      const read = element.safeParse(value);
      if (read.success) return read.data;
      const message = read.error.issues[0]?.message ?? "Not valid";
      context.addIssue({ code: "custom", path: [at], message });
      return z.NEVER;
    });
    for (const at of isDistinct ? repeatedIn(values) : []) {
      context.addIssue({ code: "custom", path: [at], message: alreadyThere });
    }
    return values;
  });
  const { maxItems } = rules;
  listElements.set(schema, {
    ...{ element, isDistinct, isStrict: false, maxItems },
    tooMany: tooManyElements(maxItems),
  });
  return schema;
}

const mustBeList = "Must be a list";
const tooManyElements = (maxItems: number) => `At most ${maxItems} elements`;

/** The elements of a list with the wrong length are not validated: there may be a hundred thousand. */
function listProblem(sent: unknown, { maxItems, minItems = 0 }: ListRules): string | null {
  if (sent === undefined || sent === null) return required;
  if (!Array.isArray(sent)) return mustBeList;
  if (sent.length > maxItems) return tooManyElements(maxItems);
  if (sent.length >= minItems) return null;
  return minItems === 1 ? "At least one element" : `At least ${minItems} elements`;
}
