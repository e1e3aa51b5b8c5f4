import type { Schema } from "../kind/kind.js";
import type { Operation } from "./operation.js";

/** Parts below `components` that operations refer to. */
interface SharedParts {
  readonly parameters: Readonly<Record<string, Schema>>;
  readonly responses: Readonly<Record<string, Schema>>;
}

/** A parameter or a response, at its position in the document. */
interface Part {
  readonly tag: string;
  readonly name: string;
  readonly schema: Schema;
}

/**
 * Moves parameters and responses that several operations share to `components`: otherwise a document of a hundred
 * resources would repeat thousands. The most frequent variant has the plain name, such as `ByPrice`; others are
 * prefixed with the name of their resource.
 */
export function shareParts(
  operations: readonly Operation[],
  known: SharedParts,
): SharedParts & { readonly operations: readonly Operation[] } {
  const parameters = share("parameters", known.parameters, operations.flatMap(parametersOf));
  const responses = share("responses", known.responses, operations.flatMap(answersOf));
  const shared = operations.map((operation) => ({
    ...operation,
    parameters: (operation.parameters ?? []).map(parameters.refer),
    answers: Object.fromEntries(
      Object.entries(operation.answers).map(([status, answer]) => [
        status,
        responses.refer(answer),
      ]),
    ),
  }));
  return { operations: shared, parameters: parameters.parts, responses: responses.parts };
}

function parametersOf({ tag, parameters = [] }: Operation): readonly Part[] {
  return parameters.map((schema) => ({
    tag,
    name: wordsOf(String(schema.name).replace(/^filter/, "by")),
    schema,
  }));
}

function answersOf({ tag, answers }: Operation): readonly Part[] {
  return Object.values(answers).map((schema) => ({
    tag,
    name: wordsOf(schema.description),
    schema,
  }));
}

function share(
  section: keyof SharedParts,
  known: Readonly<Record<string, Schema>>,
  all: readonly Part[],
) {
  const written = new Map<Schema, string>();
  const own = all.flatMap((part) => {
    if ("$ref" in part.schema) return [];
    const text = written.get(part.schema) ?? JSON.stringify(part.schema);
    written.set(part.schema, text);
    return [{ ...part, text }];
  });
  const uses = new Map<string, number>();
  const usual = new Map<string, string>();
  for (const { text } of own) {
    uses.set(text, (uses.get(text) ?? 0) + 1);
  }
  for (const { name, text } of own) {
    const most = uses.get(usual.get(name) ?? "") ?? 0;
    if ((uses.get(text) ?? 0) > most) usual.set(name, text);
  }
  const parts = new Map(Object.entries(known));
  const texts = new Map([...parts].map(([name, schema]) => [name, JSON.stringify(schema)]));

  function refer({ tag, name, schema, text }: (typeof own)[number]): Schema {
    const full = usual.get(name) === text ? name : wordsOf(tag) + name;
    const reference = { $ref: `#/components/${section}/${full}` };
    const count = uses.get(text) ?? 0;
    const saved = (count - 1) * text.length - count * JSON.stringify(reference).length;
    if (saved <= full.length) return schema;
    if (!parts.has(full)) {
      parts.set(full, schema);
      texts.set(full, text);
    }
    return texts.get(full) === text ? reference : schema;
  }

  const referred = new Map(own.map((part) => [part.schema, refer(part)]));
  return {
    refer: (schema: Schema): Schema => referred.get(schema) ?? schema,
    parts: Object.fromEntries(parts),
  };
}

/** Converts `by[dueOn]` to `ByDueOn` and `The page.` to `ThePage`. */
function wordsOf(text: Schema[string] | undefined): string {
  const words = String(text).match(/[A-Za-z0-9]+/g) ?? [];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}
