import { isPublicRule } from "../../../runtime/values/access-rule.js";
import { idSchema } from "../../kind/column/id-text.js";
import type { Resource } from "../../model/model.js";
import { resourceOperations } from "../../model/operations.js";
import { emptyAnswer, jsonAnswer, type Operation, objectSchema, schemaRef } from "../operation.js";
import type { DescribedNames } from "./names.js";
import { parameterRef } from "./parameters.js";

/** Describes, for public operations, the requests and responses of callers without a token. */
export function withoutToken(
  operations: readonly Operation[],
  resource: Resource,
  names: DescribedNames,
): readonly Operation[] {
  const ids = resourceOperations(resource);
  const open = idsWithoutToken(resource);
  return operations.map((operation) => {
    if (!open.has(operation.id)) return operation;
    const opened = { ...operation, takesNoToken: true };
    if (operation.id === ids.create) return createdWithoutToken(opened, resource, names);
    return operation.id === ids.list && resource.cache !== null ? tagged(opened, names) : opened;
  });
}

/** Returns the ids of operations open to callers without a token. */
function idsWithoutToken(resource: Resource): ReadonlySet<string> {
  const { list, query, get, stats, aggregate, aggregateByBody, create } =
    resourceOperations(resource);
  const ids = {
    list: [list, query],
    get: [get],
    stats: [stats, aggregate, aggregateByBody],
    create: [create],
  };
  const open = (["list", "get", "stats", "create"] as const).filter((action) =>
    isPublicRule(resource.access[action]),
  );
  return new Set(open.flatMap((action) => ids[action]));
}

/** Adds the response for a caller who may create but not read the record without a token: it contains only the id. */
function createdWithoutToken(
  operation: Operation,
  { id }: Resource,
  { Record }: DescribedNames,
): Operation {
  const schema = { anyOf: [schemaRef(Record), objectSchema({ id: idSchema(id.type) })] };
  const { description: _, content: __, ...headers } = operation.answers[201] ?? {};
  const description =
    "The new record; only its id if the caller has no token and may not get the record.";
  return { ...operation, answers: { 201: jsonAnswer(description, schema, headers) } };
}

/** Adds an ETag to the list, which callers without a token receive if it is cached. */
function tagged(operation: Operation, { Page }: DescribedNames): Operation {
  const headers = {
    ETag: { description: "Without a token, a weak ETag.", schema: { type: "string" } },
  };
  return {
    ...operation,
    parameters: [...(operation.parameters ?? []), parameterRef("IfNoneMatch")],
    answers: {
      200: jsonAnswer("The page.", schemaRef(Page), { headers }),
      304: emptyAnswer("Unchanged."),
    },
  };
}
