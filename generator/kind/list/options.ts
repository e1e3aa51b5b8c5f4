import { z } from "zod";
import type { CommonField } from "../field.js";
import type { Kind, OptionProblem, Options } from "../kind.js";
import { flag, wholeNumber } from "../option/options.js";
import type { ListRules } from "./rules.js";

const maxItemsLimit = 200;
const defaultMaxItems = 20;

/** The option of fields that are not lists, for kinds that support lists. */
export const single = {
  list: z
    .literal(false, "must be true or false")
    .meta({ hint: "write true or false" })
    .optional()
    .describe("Whether a value is a list. Default: false."),
};

const ofLists = {
  list: z
    .literal(true, "must be true or false")
    .meta({ hint: "write true or false" })
    .describe("The value is a list; the other options apply to each element."),
  maxItems: wholeNumber(1, maxItemsLimit, "write maxItems: 20, for example")
    .optional()
    .describe(`The maximum number of elements. Default: ${defaultMaxItems}.`),
  distinct: flag.optional().describe("Whether no element may be repeated. Default: false."),
  index: flag
    .optional()
    .describe("Whether an index speeds up finding lists by an element. Default: false."),
};

/** Options that lists do not have. */
const ofValues = ["unique", "computed"];
/** Options that lists of files do not have either: their files are always distinct, and cannot be compared. */
const ofOtherLists = ["distinct", "index"];

/** Returns the options of a list, given those of its elements. */
export function listOptions({ options, isFile }: Pick<Kind<never>, "options" | "isFile">) {
  const shape = Object.entries(options.shape).filter(([name]) => !ofValues.includes(name));
  const ofList = Object.entries(ofLists).filter(
    ([name]) => !(isFile && ofOtherLists.includes(name)),
  );
  const { default: usual } = options.shape;
  const element = usual instanceof z.ZodOptional ? usual.unwrap() : null;
  return z
    .strictObject({
      ...Object.fromEntries(shape),
      ...Object.fromEntries(ofList),
      ...(element instanceof z.ZodType && {
        default: z
          .array(element, "must be a list")
          .meta({ hint: "write a list, such as [new]" })
          .optional()
          .describe("Used when a record is created without the field."),
      }),
    })
    .describe(`A list: ${options.description ?? ""}`);
}

/** Finds conflicts between the options of a list; `checkElement` finds those between the options of an element. */
export function checkList(
  options: Options,
  checkElement: (element: Options) => readonly OptionProblem[],
): readonly OptionProblem[] {
  const { default: usual, ...others } = options;
  const elements = Array.isArray(usual) ? usual : [];
  const ofElement = { ...others, required: true };
  const problems = checkElement(ofElement);
  if (problems.length > 0) return problems;
  return [...checkNumber(options, elements), ...elements.flatMap(checkOne)];

  function checkOne(value: unknown, at: number): readonly OptionProblem[] {
    const path = ["default", at];
    if (value === "") {
      return [{ path, message: 'an element of "default" is empty', hint: "remove it" }];
    }
    if (options.distinct === true && elements.indexOf(value) < at) {
      const message = 'an element of "default" is repeated, and the list is "distinct"';
      return [{ path, message, hint: "remove it from the list" }];
    }
    return checkElement({ ...ofElement, default: value }).map((problem) => ({
      ...problem,
      path: problem.path[0] === "default" ? path : problem.path,
    }));
  }
}

function checkNumber(
  { maxItems = defaultMaxItems, required, default: usual }: Options,
  elements: readonly unknown[],
): readonly OptionProblem[] {
  const path = ["default"];
  if (elements.length > Number(maxItems)) {
    const message = `"default" has ${elements.length} elements, more than "maxItems" (${maxItems})`;
    return [{ path, message, hint: 'shorten it, or raise "maxItems"' }];
  }
  if (elements.length > 0 || usual === undefined || required !== true) return [];
  const hint = 'write an element, or leave "default" out';
  return [{ path, message: '"default" is empty, and the field is required', hint }];
}

/** The rules of a list; `stored` converts an element of the default to its stored form. */
export function listRules(
  { required }: CommonField,
  { maxItems, distinct, index, default: usual }: Options,
  stored: (element: unknown) => string | number,
): ListRules {
  const elements = Array.isArray(usual) ? usual.map(stored) : null;
  return {
    least: required ? 1 : 0,
    maxItems: typeof maxItems === "number" ? maxItems : defaultMaxItems,
    isDistinct: distinct === true,
    isIndexed: index === true,
    default: elements ?? (required ? null : []),
  };
}
