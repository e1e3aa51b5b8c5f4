import type { Schema } from "../../kind/kind.js";
import type { Model } from "../../model/model.js";
import type { Literal } from "../../text/typescript.js";
import type { Operation } from "../operation.js";
import { isSchema, type Material, madeOf, uuidExample } from "./made.js";
import { answerExample, exampleRefs } from "./refs.js";

/**
 * Examples shared by all resources: a file's bytes, and the bodies of `_query`, `_aggregate` and `_revert`. Names of
 * record examples begin with a capital letter, those of operations with a verb.
 */
export const fileExample = "anyFile";
export const queryExample = "anyQuery";
export const aggregateExample = "anyAggregate";
export const revertExample = "anyRevert";

export function materialOf(
  { resources: [first] }: Model,
  made: Pick<Material, "schemas" | "records">,
): Material {
  const resource = first?.name ?? "products";
  return { ...made, words: { ...texts, resource, events: `${resource}.created` } };
}

/** Returns the `components.examples` of every document; those of accounts are named by operation id. */
export function sharedExamples(
  operations: readonly Operation[],
  material: Material,
): Readonly<Record<string, Schema>> {
  const { resource = "" } = material.words;
  const batch = { operations: [{ update: resource, id: uuidExample, values: {} }] };
  const made = operations.flatMap(({ id, body, example }) =>
    body === undefined || (example !== id && example !== revertExample)
      ? []
      : [[example, value(madeOf(schemaOf(body), "", material))] as const],
  );
  return {
    [fileExample]: value("The bytes of the file"),
    [queryExample]: value({ sort: ["-createdAt"], perPage: 25 }),
    [aggregateExample]: value({ by: ["createdAt:month"], perPage: 100 }),
    ...Object.fromEntries(made),
    batchService: value(batch),
  };
}

/** Operations whose responses refer to examples, and those examples for `components.examples`. */
export interface Answered {
  readonly operations: readonly Operation[];
  readonly examples: Readonly<Record<string, Schema>>;
}

/** Adds an example to each JSON response; responses with the same schema share one. */
export function withAnswerExamples(operations: readonly Operation[], material: Material): Answered {
  const examples: Record<string, Schema> = {};
  const exampled = (answer: Schema, id: string): Schema => {
    const schema = schemaOf(answer);
    const media = isSchema(answer.content) ? answer.content["application/json"] : undefined;
    if (!isSchema(media) || Object.keys(schema).length === 0) return answer;
    const name = answerExample(nameIn(schema) ?? id);
    examples[name] ??= value(madeOf(schema, "", material));
    return {
      ...answer,
      content: { "application/json": { ...media, examples: exampleRefs(name) } },
    };
  };
  const answered = operations.map((operation) => ({
    ...operation,
    answers: Object.fromEntries(
      Object.entries(operation.answers).map(([status, answer]) => [
        status,
        exampled(answer, `${operation.id}.${status}`),
      ]),
    ),
  }));
  return { operations: answered, examples };
}

/** Returns the name of a schema, or of the first alternative. */
function nameIn({ $ref: ref, anyOf }: Schema): string | null {
  if (typeof ref === "string") return ref.split("/").at(-1) ?? null;
  const [first] = Array.isArray(anyOf) ? anyOf : [];
  return isSchema(first) ? nameIn(first) : null;
}

/** An example in the form of `components.examples`. */
export function value(of: Literal): Schema {
  return { value: of };
}

function schemaOf({ content }: Schema): Schema {
  const [media] = Object.values(isSchema(content) ? content : {});
  const schema = isSchema(media) ? media.schema : undefined;
  return isSchema(schema) ? schema : {};
}

/** Example strings by field name; the example of any other string is its field name. */
const texts: Readonly<Record<string, string>> = {
  email: "name@example.com",
  password: "a long password",
  currentPassword: "a long password",
  newPassword: "another long password",
  code: "123456",
  avatar: `users/avatar/2026/01/${uuidExample}-me.webp`,
  redirectTo: "/",
  site: "default",
  provider: "google",
  challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  returnTo: "https://shop.example.com/sign-in",
  deviceName: "Phone",
  name: "Ada",
  role: "editor",
  url: "https://example.com/webhooks",
  to: "184.2",
};
