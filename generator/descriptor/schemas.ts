import { readFileSync, statSync } from "node:fs";
import { isAbsolute, join, posix } from "node:path";
import { schemaMistakes } from "../../runtime/values/json-schema/mistakes.js";
import type { JsonSchema } from "../../runtime/values/json-schema/schema.js";
import { schemaValidator } from "../../runtime/values/json-schema/validate.js";
import type { Problem } from "../../runtime/values/problem.js";
import { findsPattern, patternProblem } from "../kind/option/pattern.js";
import type { Descriptor, FieldDescriptor } from "./descriptor.js";
import { parseDescriptor } from "./parse.js";
import { problemOf } from "./source.js";

interface Read {
  readonly descriptors: readonly Descriptor[];
  readonly problems: readonly Problem[];
}

/** Reads the JSON Schemas that fields refer to, relative to the app's folder, and adds their content to the options. */
export function withSchemas({ descriptors, problems }: Read, root: string): Read {
  const found: Problem[] = [...problems];
  const files = new Map<string, SchemaFile>();
  const read = descriptors.map((descriptor): Descriptor => {
    const fields = descriptor.fields.map((field): FieldDescriptor => {
      const { schema } = field.options;
      if (typeof schema !== "string") return field;
      const path = posix.normalize(schema);
      const file = files.get(path) ?? readSchema(root, path);
      files.set(path, file);
      if ("missing" in file) {
        const hint = "write its path from the app's folder, such as ./schemas/address.json";
        const message = `"schema" ${file.missing}: ${path}`;
        found.push(problemAt(descriptor, [field.name, "schema"], { message, hint }));
        return field;
      }
      found.push(...file.problems);
      if (file.schema === null) return field;
      found.push(...defaultProblems(descriptor, field, file.schema));
      return { ...field, options: { ...field.options, content: file.schema } };
    });
    return { ...descriptor, fields };
  });
  return { descriptors: read, problems: found };
}

type SchemaFile =
  | { readonly missing: string }
  | { readonly schema: JsonSchema | null; readonly problems: readonly Problem[] };

/** Maximum size in bytes. */
const maxBytes = 262_144;

function readSchema(root: string, path: string): SchemaFile {
  if (isAbsolute(path)) return { missing: "must be relative to the app's folder" };
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (found === undefined) return { missing: "names a file that does not exist" };
  if (!found.isFile()) return { missing: "does not name a regular file" };
  if (found.size > maxBytes) return { missing: "names a file of more than 256 kB" };
  const { value, source, problems } = parseDescriptor({
    path,
    text: readFileSync(join(root, path), "utf8"),
  });
  if (problems.length > 0) return { schema: null, problems };
  const mistakes = schemaMistakes(value, patternProblem);
  if (mistakes.length === 0) return { schema: value as JsonSchema, problems: [] };
  return { schema: null, problems: mistakes.map((mistake) => problemOf(source, mistake)) };
}

function defaultProblems(
  descriptor: Descriptor,
  { name, options }: FieldDescriptor,
  schema: JsonSchema,
): readonly Problem[] {
  if (options.default === undefined) return [];
  const [issue] = schemaValidator(schema, findsPattern)(options.default);
  if (issue === undefined) return [];
  const place = issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
  const message = `"default" does not fit "schema"${place}: ${issue.message}`;
  const hint = 'change one of the two, or leave "default" out';
  return [problemAt(descriptor, [name, "default"], { message, hint })];
}

function problemAt(
  { source }: Descriptor,
  path: readonly string[],
  words: { readonly message: string; readonly hint: string },
): Problem {
  return problemOf(source, { path: ["fields", ...path], at: "value", ...words });
}
