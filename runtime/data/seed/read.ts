import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ByRule, ResourceDefinition } from "../../resource/index.js";
import { keyOfRows } from "../../resource/index.js";
import { mergeMarkerLine, mergeMarkersMessage } from "../../values/merge-markers.js";
import { didYouMean } from "../../values/nearest.js";
import type { Problem } from "../../values/problem.js";
import { nearestWritten, type Path, type Positions } from "../../values/yaml/position.js";
import { readYaml } from "../../values/yaml/read.js";
import { notationProblem } from "./notation.js";
import { extension, seedFiles } from "./request.js";

export interface SeedFile {
  readonly definition: ResourceDefinition;
  /** The values by which a stored record is found. */
  readonly by: ByRule;
  readonly records: readonly SeedRecord[];
}

export interface SeedRecord {
  readonly definition: ResourceDefinition;
  readonly values: Readonly<Record<string, unknown>>;
  /** Returns a problem at one of the record's values, or at the start of the record if the path is empty. */
  problemAt(below: Path, message: string, hint?: string | null): Problem;
}

export interface ReadSeeds {
  readonly files: readonly SeedFile[];
  /** Resources whose records are unknown because a file cannot be read. */
  readonly unread: ReadonlySet<string>;
  readonly problems: readonly Problem[];
}

/** Reads the files of the folder, or those of the given resources, and collects all problems. */
export function readSeeds(
  folder: string,
  resources: readonly string[],
  definitions: readonly ResourceDefinition[],
): ReadSeeds {
  const names = definitions.map(({ table }) => table.resource);
  const files: SeedFile[] = [];
  const unread = new Set<string>();
  const problems: Problem[] = [];
  const seen = new Map<string, string>();
  for (const { name } of seedFiles(folder)) {
    const file = `seed/${name}`;
    const resource = name.replace(extension, "");
    if (resources.length > 0 && !resources.includes(resource)) continue;
    const refuse = (message: string, hint: string | null) =>
      problems.push({ file, line: 1, column: 1, message, hint });
    const definition = definitions.find(({ table }) => table.resource === resource);
    const first = seen.get(resource);
    if (first !== undefined) refuse(`${first} seeds the same resource`, "keep one of the two");
    else if (definition === undefined) {
      const hint = didYouMean(resource, names) ?? `the resources are: ${names.join(", ")}`;
      refuse(`there is no resource ${JSON.stringify(resource)}`, hint);
    } else {
      seen.set(resource, file);
      const read = readSeed({ file, path: join(folder, name) }, definition);
      problems.push(...read.problems);
      if (read.seed === null) unread.add(resource);
      else files.push(read.seed);
    }
  }
  return { files, unread, problems };
}

interface Read {
  readonly seed: SeedFile | null;
  readonly problems: readonly Problem[];
}

function readSeed(
  { file, path }: { readonly file: string; readonly path: string },
  definition: ResourceDefinition,
): Read {
  const text = readFileSync(path, "utf8");
  const line = mergeMarkerLine(text);
  if (line !== null) {
    const message = mergeMarkersMessage;
    return { seed: null, problems: [{ file, line, column: 1, message, hint: null }] };
  }
  const { value, positions, mistakes } = readYaml(text);
  const problems = mistakes.map((mistake) => notationProblem(file, mistake));
  const { seed, issues } = shapeOf({ file, positions }, value, definition);
  // If nothing could be read, consequent problems are noise.
  const others = value === null && problems.length > 0 ? [] : issues;
  return { seed: problems.length > 0 ? null : seed, problems: [...problems, ...others] };
}

interface Source {
  readonly file: string;
  readonly positions: Positions;
}

type Mistake = Pick<Problem, "message" | "hint">;

const example = "the shortest is: { key: name, records: [] }";

function shapeOf(
  source: Source,
  value: unknown,
  definition: ResourceDefinition,
): { readonly seed: SeedFile | null; readonly issues: readonly Problem[] } {
  const issues: Problem[] = [];
  const refuse = (path: Path, message: string, hint: string | null = null) =>
    issues.push(problemAt(source, path, { message, hint }));
  if (!isMap(value)) {
    refuse([], "a seed file must be a map with the keys key and records", example);
    return { seed: null, issues };
  }
  for (const name of Object.keys(value)) {
    if (name === "key" || name === "records") continue;
    const hint = didYouMean(name, ["key", "records"]) ?? "its keys are key and records";
    issues.push(
      problemAtKey(source, [name], { message: `"${name}" is not a key of a seed file`, hint }),
    );
  }
  const { table } = definition;
  const { key, records = null } = value;
  const by = typeof key === "string" ? keyOfRows(table, key.split("+")) : null;
  if (by === null) {
    const message =
      key === undefined
        ? "the key is missing: the field that identifies stored records"
        : `key: ${JSON.stringify(key)} is not unique`;
    refuse(["key"], message, "write a unique field, id, or fields that are unique together: a+b");
  }
  if (!Array.isArray(records)) refuse(["records"], "records must be a list");
  const list: readonly unknown[] = Array.isArray(records) ? records : [];
  const read = list.flatMap((values, at): SeedRecord[] => {
    const start: Path = ["records", at];
    if (!isMap(values)) {
      refuse(start, "a record must be a map of fields");
      return [];
    }
    const place = (below: Path, message: string, hint: string | null = null) =>
      problemAt(source, [...start, ...below], { message, hint });
    return [{ definition, values, problemAt: place }];
  });
  return { seed: by === null ? null : { definition, by, records: read }, issues };
}

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A problem at a value; a missing key is reported at its map. */
function problemAt({ file, positions }: Source, path: Path, mistake: Mistake): Problem {
  const nearest = nearestWritten(positions, path);
  const start = { line: 1, column: 1 };
  if (nearest === null || nearest.path.length === 0) return { file, ...start, ...mistake };
  const { key, value } = nearest.written;
  return { file, ...(nearest.path.length === path.length ? value : key), ...mistake };
}

function problemAtKey(source: Source, path: Path, mistake: Mistake): Problem {
  const nearest = nearestWritten(source.positions, path);
  const at = nearest?.written.key ?? { line: 1, column: 1 };
  return { file: source.file, ...at, ...mistake };
}
