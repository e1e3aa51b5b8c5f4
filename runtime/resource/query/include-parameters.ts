import type { Parameters } from "../../http/index.js";
import { takeWhere } from "./conditions.js";

/** One link or inverse of `include` with its options, in plain values. */
export interface IncludeParameters {
  readonly name: string;
  readonly fields?: readonly string[] | undefined;
  readonly sort?: readonly string[] | undefined;
  readonly perPage?: number | undefined;
  /** A JSON value. */
  readonly where?: unknown;
  readonly count?: boolean | undefined;
  /** What is included in its records. */
  readonly include?: readonly IncludeParameters[] | undefined;
}

/** The most links and inverses of one `include`, with those on the way to others. */
export const maxPaths = 12;

/** The most links and inverses on any path. */
export const maxPathLinks = 3;

/** The most records of one inverse in one record; with 0 they are only counted. */
export const includedRange = { min: 0, max: 100, default: 10 };

/** The most records of all inverses in one answer. */
export const maxInverseRecords = 5_000;

/** Takes `include`, paths of names, and their options from an address. */
export function takeIncludes(parameters: Parameters): readonly IncludeParameters[] | undefined {
  const paths = parameters.takeList("include");
  const root: Names = new Map();
  // A longer path is refused for its first name too many: the others would only make it deep.
  for (const path of paths ?? []) add(root, path.split(".").slice(0, maxPathLinks + 1));
  const requested = takeOptions(root, "", parameters);
  for (const other of parameters.takeNames("include[")) {
    parameters.reject(other, "Is no option of what is included");
  }
  if (paths !== undefined && new Set(paths).size < paths.length) {
    parameters.reject("include", "Names one of them twice");
  }
  return paths === undefined ? undefined : requested;
}

/** What is included, by its name, with what is included in that. */
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
