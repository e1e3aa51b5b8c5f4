import type { Schema } from "../kind/kind.js";
import type { Model } from "../model/model.js";
import type { Literal } from "../text/typescript.js";
import type { Operation } from "./operation.js";

/**
 * A file's bytes, and the bodies of `_query`, `_aggregate` and `_revert`: the same for all resources. Examples of records
 * begin with a capital letter, those of operations with a verb.
 */
export const fileExample = "anyFile";
export const queryExample = "anyQuery";
export const aggregateExample = "anyAggregate";
export const revertExample = "anyRevert";

const uuid = "019c0e2a-3c5e-7d41-9b1a-52f0c7a8e600";

/** `components.examples` that every document has; those of accounts by the id of their operation. */
export function sharedExamples(
  { resources }: Model,
  operations: readonly Operation[],
): Readonly<Record<string, Schema>> {
  const [first] = resources;
  const resource = first?.name ?? "products";
  const words = { ...texts, resource, events: `${resource}.created` };
  const batch = { operations: [{ update: resource, id: uuid, values: {} }] };
  const made = operations.flatMap(({ id, body, example }) =>
    body === undefined || (example !== id && example !== revertExample)
      ? []
      : [[example, value(madeOf(schemaOf(body), "", words))] as const],
  );
  return {
    [fileExample]: value("The bytes of the file"),
    [queryExample]: value({ sort: ["-createdAt"], perPage: 25 }),
    [aggregateExample]: value({ by: ["createdAt:month"], perPage: 100 }),
    ...Object.fromEntries(made),
    batchService: value(batch),
  };
}

/** An example as `components.examples` holds it. */
export function value(of: Literal): Schema {
  return { value: of };
}

function schemaOf({ content }: Schema): Schema {
  const [media] = Object.values(isSchema(content) ? content : {});
  const schema = isSchema(media) ? media.schema : undefined;
  return isSchema(schema) ? schema : {};
}

/** A value that fulfils a schema of a body for accounts, made of its names. */
function madeOf(schema: Schema, name: string, words: Readonly<Record<string, string>>): Literal {
  const { const: fixed, enum: values, properties, type, anyOf, items } = schema;
  if (Array.isArray(anyOf)) return isSchema(anyOf[0]) ? madeOf(anyOf[0], name, words) : null;
  if (fixed !== undefined) return fixed;
  if (Array.isArray(values)) return values[0] ?? null;
  if (isSchema(properties)) {
    return Object.fromEntries(
      Object.entries(properties).map(([key, own]) => [
        key,
        isSchema(own) ? madeOf(own, key, words) : null,
      ]),
    );
  }
  const [main] = Array.isArray(type) ? type : [type];
  if (main === "boolean") return true;
  if (main === "integer") return 30;
  if (main === "object") return {};
  if (main === "array") return isSchema(items) ? [madeOf(items, name, words)] : [];
  return words[name] ?? name;
}

/** What a text of that name looks like; others are their own name. */
const texts: Readonly<Record<string, string>> = {
  email: "name@example.com",
  password: "a long password",
  currentPassword: "a long password",
  newPassword: "another long password",
  code: "123456",
  avatar: `users/avatar/2026/01/${uuid}-me.webp`,
  redirectTo: "/",
  provider: "google",
  challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  returnTo: "https://shop.example.com/sign-in",
  deviceName: "Phone",
  name: "Ada",
  role: "editor",
  url: "https://example.com/webhooks",
  to: "184.2",
};

function isSchema(given: Literal | undefined): given is Schema {
  return typeof given === "object" && given !== null && !Array.isArray(given);
}
