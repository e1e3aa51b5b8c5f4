import type { Schema } from "../../kind/kind.js";
import type { Model, Resource } from "../../model/model.js";
import { resourceOperations } from "../../model/operations.js";
import {
  idOfAny,
  jsonAnswer,
  nullable,
  type Operation,
  objectSchema,
  schemaRef,
  string,
  timestamp,
  uuid,
} from "../operation.js";
import { descriptorSchema } from "../shared-schemas.js";
import type { DescribedNames } from "./names.js";
import { idParameter, parameterRef, query } from "./parameters.js";

/** Returns the parameter that selects deleted records; empty for a resource without a trash. */
export function trashParameters({ trash }: Resource): readonly Schema[] {
  if (trash === null) return [];
  const only = { type: "string", const: "only" };
  return [
    query(
      "trash",
      only,
      "Returns deleted records instead. The `delete` rule must allow the caller too.",
    ),
  ];
}

/** Returns the filter by time of deletion. */
export function deletedAtParameter({ trash }: Resource): readonly Schema[] {
  return trash === null ? [] : [query("filter[deletedAt]", timestamp, "Only on deleted records.")];
}

/** Returns the parameter that makes a deletion permanent. */
export function skipParameters({ trash }: Resource): readonly Schema[] {
  if (trash === null) return [];
  const skip = { type: "string", const: "skip" };
  return [
    query(
      "trash",
      skip,
      "Deletes permanently, including a record in the trash; needs the rule `purge`.",
    ),
  ];
}

/** Returns the property that selects deleted records in the body of `_query`. */
export function trashMember({ trash }: Resource): Readonly<Record<string, Schema>> {
  return trash === null ? {} : { trash: { type: "string", const: "only" } };
}

/** Returns the additional properties of deleted records. */
export function trashProperties({ trash }: Resource): Readonly<Record<string, Schema>> {
  if (trash === null) return {};
  const deletedBy = nullable(objectSchema({ id: uuid, name: string }));
  return { deletedAt: timestamp, deletedBy };
}

/** Returns the additional properties of shared schemas in an app with a trash; empty without one. */
export function trashSchemas({ resources }: Model): Readonly<Record<string, Schema>> {
  const isKept = resources.some(({ trash }) => trash !== null);
  return isKept ? { Descriptor: descriptorSchema(["history", "purge"]) } : {};
}

/** Returns the operation that restores a record; empty without a trash. */
export function restoreOperationsOf(
  resource: Resource,
  names: DescribedNames,
  model: Model,
): readonly Operation[] {
  const { restore } = resourceOperations(resource);
  if (restore === undefined) return [];
  const { name: tag, singular } = resource;
  const issues = { type: "array", items: objectSchema({ path: string, message: string }) };
  const id = idOfRefused(model);
  const refused = (description: string, more: Readonly<Record<string, Schema>>) =>
    jsonAnswer(
      description,
      objectSchema({ error: string, resource: string, id, ...more }, [
        "resource",
        "id",
        ...Object.keys(more),
      ]),
    );
  return [
    {
      id: restore,
      method: "post",
      path: `/${tag}/{id}/_restore`,
      tag,
      summary: `${singular}: restore from the trash`,
      description: "Restores all records that were deleted with it too, or nothing.",
      parameters: [idParameter(resource), parameterRef("Key")],
      answers: {
        200: jsonAnswer("The record.", schemaRef(names.Record), {
          headers: {
            ETag: { $ref: "#/components/headers/ETag" },
            "Idempotency-Replayed": { $ref: "#/components/headers/Replayed" },
          },
        }),
        409: refused(
          "It was deleted with another record, or the value of a unique field is taken.",
          { field: string },
        ),
        422: refused("A value is no longer valid.", { issues }),
      },
      refusals: ["Forbidden", "BadBody", "NotFound"],
    },
  ];
}

/**
 * Returns the schema of the id of a record that prevents a restore. It is in the trash: the record itself, the one with
 * which it was deleted, or one that is restored with it.
 */
function idOfRefused({ resources }: Model): Schema {
  return idOfAny(resources.filter(({ trash }) => trash !== null));
}
