import { didYouMean } from "../nearest.js";
import { keywordRules, replacedKeywords } from "./keywords.js";
import {
  formOf,
  innerSchemas,
  isObject,
  keyOfRef,
  resolvedRef,
  type SchemaObject,
} from "./schema.js";

export interface SchemaMistake {
  readonly path: readonly (string | number)[];
  /** Whether the mistake is in the key or its value. */
  readonly at: "key" | "value";
  readonly message: string;
  readonly hint: string;
}

/** Returns why a pattern is refused; null if it is valid. */
type PatternProblem = (pattern: string) => string | null;

type Path = SchemaMistake["path"];

/** Finds parts of a schema that are unknown or cannot be checked, and references without a target. */
export function schemaMistakes(
  root: unknown,
  patternProblem: PatternProblem,
): readonly SchemaMistake[] {
  const found = [...mistakesIn(root, [], { root, patternProblem })];
  return found.length > 0 ? found : circles(root);
}

interface Around {
  readonly root: unknown;
  readonly patternProblem: PatternProblem;
}

function* mistakesIn(schema: unknown, path: Path, around: Around): Iterable<SchemaMistake> {
  if (typeof schema === "boolean") return;
  if (!isObject(schema)) {
    yield at(
      path,
      "a schema must be true, false or a map of keywords",
      'write { "type": "string" }',
    );
    return;
  }
  for (const [keyword, value] of Object.entries(schema)) {
    yield* keywordMistakes(keyword, value, { path: [...path, keyword], around });
  }
  for (const inner of innerSchemas(schema)) {
    yield* mistakesIn(inner.schema, [...path, ...inner.path], around);
  }
}

function* keywordMistakes(
  keyword: string,
  value: unknown,
  { path, around }: { readonly path: Path; readonly around: Around },
): Iterable<SchemaMistake> {
  const form = formOf(keyword);
  if (form !== null) {
    if (form === "list" && !(Array.isArray(value) && value.length > 0)) {
      yield at(path, `"${keyword}" must be a list of schemas`, "write [{ … }]");
    }
    if (form === "map" && !isObject(value)) {
      yield at(path, `"${keyword}" must be a map of schemas`, 'write { "name": { … } }');
    }
    if (keyword === "patternProperties" && isObject(value)) {
      for (const pattern of Object.keys(value)) {
        const problem = around.patternProblem(pattern);
        if (problem === null) continue;
        const message = `"${pattern}" is not a valid regular expression: ${problem}`;
        yield { path: [...path, pattern], at: "key", message, hint: patternHint };
      }
    }
    return;
  }
  const rule = Object.hasOwn(keywordRules, keyword) ? keywordRules[keyword] : undefined;
  if (rule === undefined) {
    const instead = Object.hasOwn(replacedKeywords, keyword) ? replacedKeywords[keyword] : null;
    const message = `"${keyword}" is ${instead ? "a keyword that is not supported" : "not a keyword of JSON Schema"}`;
    const hint =
      instead ??
      didYouMean(keyword, Object.keys(keywordRules)) ??
      "remove it, or write it in $comment";
    yield { path, at: "key", message, hint };
    return;
  }
  const problem = rule(value);
  if (problem !== null) {
    yield at(path, `"${keyword}" ${problem}`, "see https://json-schema.org/draft/2020-12");
    return;
  }
  if (keyword === "pattern") {
    const wrong = around.patternProblem(String(value));
    if (wrong !== null) {
      yield at(path, `"pattern" is not a valid regular expression: ${wrong}`, patternHint);
    }
  }
  if (keyword === "$ref" && !isSchema(resolvedRef(around.root, String(value)))) {
    yield at(
      path,
      `"$ref" refers to no schema in this file`,
      "write #/$defs/name, for a schema below $defs",
    );
  }
  if (keyword === "$id" && path.length > 1) {
    yield at(
      path,
      `"$id" is for the whole file`,
      "remove it, and refer to the schema by #/$defs/name",
    );
  }
}

const patternHint =
  "the syntax is RE2's: matching takes linear time, without lookaround and backreferences";

function isSchema(value: unknown): boolean {
  return typeof value === "boolean" || isObject(value);
}

function at(path: Path, message: string, hint: string): SchemaMistake {
  return { path, at: "value", message, hint };
}

/** The path in a reference such as `#/$defs/line`; null for a reference by anchor, such as `#line`. */
function pathOf(ref: string): Path | null {
  if (ref === "#") return [];
  if (!ref.startsWith("#/")) return null;
  return ref.slice(2).split("/").map(keyOfRef);
}

/** Finds circular references that never descend into the value. */
function circles(root: unknown): readonly SchemaMistake[] {
  const found: SchemaMistake[] = [];
  const done = new Set<SchemaObject>();
  const open = new Set<SchemaObject>();
  const enter = (schema: unknown, path: Path): void => {
    if (!isObject(schema) || done.has(schema)) return;
    open.add(schema);
    if (typeof schema.$ref === "string") {
      const target = resolvedRef(root, schema.$ref);
      if (isObject(target) && open.has(target)) {
        const message = `"$ref" refers to itself without descending into the value`;
        const hint =
          "refer to it below properties, items or another keyword that descends into the value";
        found.push(at([...path, "$ref"], message, hint));
      } else enter(target, pathOf(schema.$ref) ?? path);
    }
    for (const inner of innerSchemas(schema)) {
      if (inner.isInPlace) enter(inner.schema, [...path, ...inner.path]);
    }
    open.delete(schema);
    done.add(schema);
  };
  const visit = (schema: unknown, path: Path): void => {
    if (!isObject(schema)) return;
    enter(schema, path);
    for (const inner of innerSchemas(schema)) visit(inner.schema, [...path, ...inner.path]);
  };
  visit(root, []);
  return found;
}
