import type { Schema } from "../../kind/kind.js";
import type { Model, Resource } from "../../model/model.js";
import { resourceOperations } from "../../model/operations.js";
import { revertExample } from "../examples/examples.js";
import {
  cursorPage,
  jsonAnswer,
  jsonBody,
  nullable,
  type Operation,
  objectSchema,
  schemaRef,
  string,
  timestamp,
  uuid,
} from "../operation.js";
import type { DescribedNames } from "./names.js";
import { idParameter, parameterRef } from "./parameters.js";

/** A value of any field. */
const value: Schema = {};

/** The schemas of an app with record histories. */
export function historySchemas({ resources }: Model): Readonly<Record<string, Schema>> {
  const kept = resources.filter(({ changes }) => changes !== null && changes.history !== null);
  if (kept.length === 0) return {};
  const isTrashed = kept.some(({ trash }) => trash !== null);
  const ops = ["create", "update", "delete", ...(isTrashed ? ["trash", "restore"] : [])];
  const change = objectSchema(
    { field: string, from: value, to: value, cut: { type: "boolean", const: true } },
    ["cut"],
  );
  return {
    HistoryEntry: objectSchema(
      {
        id: string,
        at: timestamp,
        op: { type: "string", enum: ops },
        by: nullable(objectSchema({ id: uuid, name: string })),
        token: { ...string, description: "The name of the service token that made the change." },
        job: { ...string, description: "The name of the job that made the change." },
        changes: { type: "array", items: change },
      },
      ["token", "job"],
    ),
  };
}

/** Returns the operations on the history of a record; empty if no history is stored. */
export function historyOperationsOf(
  resource: Resource,
  names: DescribedNames,
): readonly Operation[] {
  const { history, historyEntry, revert } = resourceOperations(resource);
  if (history === undefined || historyEntry === undefined || revert === undefined) return [];
  const { name: tag, singular } = resource;
  const one = `/${tag}/{id}`;
  const entry: Schema = { name: "entry", in: "path", required: true, schema: string };
  return [
    {
      id: history,
      method: "get",
      path: `${one}/_history`,
      tag,
      summary: `${singular}: who changed what, newest first`,
      description: "Deleted records have a history too. Texts are truncated to 1,000 characters.",
      parameters: [idParameter(resource), parameterRef("Cursor"), parameterRef("PerPage")],
      answers: {
        200: jsonAnswer("The page.", cursorPage(schemaRef("HistoryEntry"))),
      },
      refusals: ["Forbidden", "BadQuery", "NotFound"],
    },
    {
      id: historyEntry,
      method: "get",
      path: `${one}/_history/{entry}`,
      tag,
      summary: `${singular}: one entry of its history, with full texts`,
      parameters: [idParameter(resource), entry],
      answers: { 200: jsonAnswer("The entry.", schemaRef("HistoryEntry")) },
      refusals: ["Forbidden", "NotFound"],
    },
    {
      id: revert,
      method: "post",
      path: `${one}/_revert`,
      tag,
      summary: `${singular}: restore the values that it had after an entry of its history`,
      description: "A deleted record is created again under its id.",
      parameters: [idParameter(resource), parameterRef("IfMatch"), parameterRef("Key")],
      body: jsonBody(objectSchema({ to: string })),
      example: revertExample,
      answers: {
        200: jsonAnswer(
          "The record, and the fields that no longer exist.",
          objectSchema({
            record: schemaRef(names.Record),
            skipped: { type: "array", items: string },
          }),
          {
            headers: {
              ETag: { $ref: "#/components/headers/ETag" },
              "Idempotency-Replayed": { $ref: "#/components/headers/Replayed" },
            },
          },
        ),
      },
      refusals: ["Forbidden", "BadBody", "MediaType", "Invalid", "Conflict", "NotFound", "Stale"],
    },
  ];
}
