import type { Json } from "../http/client.js";
import type { OpenapiDocument, ParsedDocument } from "./document.js";
import type { Random } from "./random.js";
import { bodySchema, type MadeRequest, parametersOf } from "./requests.js";
import { flat, type Schema } from "./values.js";

/** A request with one mistake, which its document shows. */
export interface WrongRequest extends MadeRequest {
  readonly mistake: Mistake;
  /** In words, for messages. */
  readonly place: string;
  /** Replaces the body. */
  readonly text?: string;
}

export type Mistake = "token" | "id" | "parameter" | "header" | "type" | "json" | "value";

interface Source {
  readonly parsed: ParsedDocument;
  readonly document: OpenapiDocument;
  readonly random: Random;
}

/** The same request with one mistake; null if none is possible. */
export function wrongRequest(source: Source, request: MadeRequest): WrongRequest | null {
  const made = mistakes(source, request);
  return made.length === 0 ? null : source.random.pick(made)();
}

function mistakes(
  { parsed, document, random }: Source,
  request: MadeRequest,
): readonly (() => WrongRequest | null)[] {
  const { operation, body } = request;
  const all = parametersOf(parsed, operation);
  const schema = bodySchema(parsed, operation);
  const wrong = (mistake: Mistake, place: string, change: Partial<WrongRequest>): WrongRequest => ({
    ...request,
    mistake,
    place,
    ...change,
  });
  const isPublic = operation.value.security?.length === 0;
  return [
    ...(isPublic
      ? []
      : [() => wrong("token", "token", { headers: { authorization: "Bearer wrong" } })]),
    ...all
      .filter(({ in: place, schema: { format } }) => place === "path" && format === "uuid")
      .map(
        ({ name }) =>
          () =>
            wrong("id", name, { path: { ...request.path, [name]: "no-id" } }),
      ),
    ...all.flatMap((each) => {
      const text = each.in === "query" ? wrongText(random, flat(parsed, each.schema), each) : null;
      if (text === null) return [];
      const query = { ...request.query, [each.name]: text };
      return [() => wrong("parameter", `${each.name}=${text}`, { query })];
    }),
    ...(all.some(({ name }) => name === "Idempotency-Key")
      ? [
          () => {
            const headers = { ...request.headers, "Idempotency-Key": "k".repeat(256) };
            return wrong("header", "Idempotency-Key", { headers });
          },
        ]
      : []),
    ...(schema === undefined || schema === null
      ? []
      : [
          () => wrong("json", "no JSON", { text: '{"a":' }),
          () => wrong("json", "a list", { text: "[]" }),
          () =>
            wrong("type", "text/plain", {
              headers: { ...request.headers, "content-type": "text/plain" },
            }),
          ...Array.from({ length: 6 }, () => () => {
            const changed = changedBody(random, flat(parsed, schema), body as Json);
            if (changed === null) return null;
            const pointer = `${operation.pointer}/requestBody/content/application~1json/schema`;
            if (document.holds(pointer, changed)) return null;
            return wrong("value", JSON.stringify(changed).slice(0, 300), { body: changed });
          }),
        ]),
  ];
}

/** An invalid text for a parameter in an address; null if every text is valid. */
function wrongText(
  random: Random,
  { type, format, enum: values, maximum, maxLength, items }: Schema,
  { isJson }: { isJson: boolean },
): string | null {
  if (isJson) return random.pick(["{", "1", '{"no such field":1}', "[]"]);
  const types = Array.isArray(type) ? type : [type];
  if (types.includes("integer") || types.includes("number")) {
    return random.pick(["one", "1e", maximum === undefined ? "--1" : String(Number(maximum) + 1)]);
  }
  if (types.includes("boolean")) return "yes";
  if (types.includes("array")) {
    const { enum: names, anyOf } = (items ?? {}) as Schema;
    return names === undefined && anyOf === undefined ? null : "no such name";
  }
  if (Array.isArray(values)) return "no such value";
  if (format === "uuid" || format === "date" || format === "date-time") return "no such value";
  return typeof maxLength === "number" && maxLength < 300 ? "x".repeat(maxLength + 1) : null;
}

/** One property of another type, out of bounds, missing, or unknown. */
function changedBody(random: Random, { properties, required }: Schema, body: Json): Json | null {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return null;
  const names = Object.keys((properties ?? {}) as object);
  const needed = (required ?? []) as string[];
  const name = random.pick(["no such name", ...names]);
  if (needed.length > 0 && random.chance(0.25)) {
    const left = random.pick(needed);
    return Object.fromEntries(Object.entries(body).filter(([each]) => each !== left));
  }
  const { minimum, maximum, maxLength } =
    ((properties ?? {}) as Record<string, Schema>)[name] ?? {};
  const value = random.pick([
    ...[null, true, 12.5, "no such value", [], {}, ["x"], { a: 1 }],
    ...(minimum === undefined ? [] : [Number(minimum) - 1]),
    ...(maximum === undefined ? [] : [Number(maximum) + 1]),
    ...(maxLength === undefined || Number(maxLength) > 5000
      ? []
      : ["x".repeat(Number(maxLength) + 1)]),
  ]);
  return { ...body, [name]: value };
}
