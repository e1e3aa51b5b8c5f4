import type { Parameters } from "../../http/index.js";
import { takeWhere } from "./conditions.js";

/** One link or inverse in `include` with its options, as plain values. */
export interface IncludeParameters {
  readonly name: string;
  readonly fields?: readonly string[] | undefined;
  readonly sort?: readonly string[] | undefined;
  readonly perPage?: number | undefined;
  /** A JSON value. */
  readonly where?: unknown;
  readonly count?: boolean | undefined;
  /** Nested includes of its records. */
  readonly include?: readonly IncludeParameters[] | undefined;
}

/** The maximum number of links and inverses in one `include`, including intermediate ones. */
export const maxPaths = 12;

/** The maximum number of links and inverses on any path. */
export const maxPathLinks = 3;

/** The number of records of an inverse that each record includes; 0 returns only their count. */
export const includedRange = { min: 0, max: 100, default: 10 };

/** The maximum number of records of all inverses in one response. */
export const maxInverseRecords = 5_000;

/** Removes `include`, paths of names, and their options from the parameters and returns them. */
export function takeIncludes(parameters: Parameters): readonly IncludeParameters[] | undefined {
  const paths = parameters.takeList("include");
  const root: Names = new Map();
  // A path that is too long is refused because of its first excess name; the others would only add depth.
  for (const path of paths ?? []) add(root, path.split(".").slice(0, maxPathLinks + 1));
  const requested = takeOptions(root, "", parameters);
  for (const other of parameters.takeNames("include[")) {
    parameters.reject(other, "Is not an option of an include");
  }
  if (paths !== undefined && new Set(paths).size < paths.length) {
    parameters.reject("include", "Contains a name twice");
  }
  return paths === undefined ? undefined : requested;
}

/** Included names, each with its nested ones. */
type Names = Map<string, Names>;

function add(names: Names, [name, ...more]: readonly string[]): void {
  if (name === undefined) return;
  const inside: Names = names.get(name) ?? new Map();
  names.set(name, inside);
  add(inside, more);
}

function takeOptions(
  names: Names,
  before: string,
  parameters: Parameters,
): readonly IncludeParameters[] {
  return [...names].map(([name, inside]) => {
    const path = before + name;
    const option = (word: string) => `include[${path}][${word}]`;
    return {
      name,
      fields: parameters.takeList(option("fields")),
      sort: parameters.takeList(option("sort")),
      perPage: parameters.takeInteger(option("perPage"), perPageRange),
      where: takeWhere(parameters, option("where")),
      count: parameters.takeFlag(option("count")),
      include: inside.size === 0 ? undefined : takeOptions(inside, `${path}.`, parameters),
    };
  });
}

const perPageRange = { ...includedRange, default: undefined };
