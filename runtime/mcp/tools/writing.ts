import { textOf } from "../../resource/index.js";
import { memberText } from "../../values/stored-json/member-text.js";
import { type Api, recordText, writeHeaders } from "./api.js";
import { apiTool } from "./api-tool.js";
import { anyInput, batchShape, createInput, deleteInput, updateInput } from "./inputs.js";
import type { AgentTool } from "./tool.js";

const adding = { readOnlyHint: false, destructiveHint: false, openWorldHint: false } as const;
const destructive = { ...adding, destructiveHint: true } as const;

/** The tools that write. */
export function writingTools(api: Api): readonly AgentTool[] {
  return [create(api), update(api), remove(api), batch(api)];
}

/** Returns the values as a body, in the message's raw text, which preserves numbers that parsing would change. */
function bodyOf(values: object, message: string) {
  return {
    body: values,
    text: memberText(message, ["params", "arguments", "values"]) ?? undefined,
  };
}

function create(api: Api): AgentTool {
  return apiTool({
    name: "create",
    description: "Creates a record. Returns { record, etag }.",
    input: createInput,
    annotations: adding,
    async run({ resource, values }, { context, text }) {
      const parts = { ...bodyOf(values, text), headers: writeHeaders(context) };
      return recordText(
        await api.resource(resource).ask(context, { method: "POST", path: "", ...parts }),
      );
    },
  });
}

function update(api: Api): AgentTool {
  return apiTool({
    name: "update",
    description:
      "Changes the given fields of a record; the others stay. Returns { record, etag }. Pass the etag that you read as ifMatch, so that you do not overwrite a change that another caller made.",
    input: updateInput,
    annotations: destructive,
    async run({ resource, id, values, ifMatch }, { context, text }) {
      const headers = writeHeaders(context, ifMatch);
      const parts = { params: { id }, ...bodyOf(values, text), headers };
      return recordText(
        await api.resource(resource).ask(context, { method: "PATCH", path: "/:id", ...parts }),
      );
    },
  });
}

function remove(api: Api): AgentTool {
  return apiTool({
    name: "delete",
    description:
      "Deletes a record permanently; refused (409) while other records have a required link to it. Returns {}.",
    input: deleteInput,
    annotations: destructive,
    async run({ resource, id, ifMatch }, { context }) {
      const parts = { params: { id }, headers: writeHeaders(context, ifMatch) };
      await api.resource(resource).ask(context, { method: "DELETE", path: "/:id", ...parts });
      return "{}";
    },
  });
}

function batch(api: Api): AgentTool {
  return apiTool({
    name: "batch",
    description:
      "Performs up to 100 writes to any resources in one transaction: all of them, or none. Returns { data }, the records in the order of the operations.",
    input: anyInput,
    shown: batchShape,
    annotations: destructive,
    async run(input, { context, text }) {
      const own = memberText(text, ["params", "arguments"]) ?? undefined;
      const parts = { body: input, text: own, headers: writeHeaders(context) };
      return textOf(await api.ask(context, { method: "POST", path: "/_service/batch", ...parts }));
    },
  });
}
