import type { z } from "zod";
import { refuse } from "../../errors/index.js";
import type { Context, JsonObject } from "../../http/index.js";
import { queryOf, textOf } from "../../resource/index.js";
import { type Api, recordText } from "./api.js";
import { apiTool } from "./api-tool.js";
import { boundQuery, cutLength, maxFound } from "./find.js";
import {
  aggregateShape,
  describeInput,
  findShape,
  getInput,
  listInput,
  queryInput,
} from "./inputs.js";
import { listedText } from "./listed.js";
import type { AgentTool } from "./tool.js";

const annotations = { readOnlyHint: true, openWorldHint: false } as const;

/** The tools that do not write. */
export function readingTools(api: Api): readonly AgentTool[] {
  return [listResources(api), describeResource(api), find(api), get(api), aggregate(api)];
}

function listResources(api: Api): AgentTool {
  return apiTool({
    name: "list_resources",
    description:
      "Lists the app's resources, the kinds of records that it has: their names, their fields, and in `can` what you may do with them. If there are many, fields are left out: describe_resource has them.",
    input: listInput,
    annotations,
    async run(_, { context }) {
      return listedText(await described(api, context));
    },
  });
}

function describeResource(api: Api): AgentTool {
  return apiTool({
    name: "describe_resource",
    description:
      "Describes one resource: its fields with their types, rules and links, and what you may do with it.",
    input: describeInput,
    annotations,
    async run({ resource }, { context }) {
      const { table } = api.resource(resource);
      const all = await described(api, context);
      const found = all.find(({ name }) => name === table.resource);
      return JSON.stringify(found ?? refuse("NOT_FOUND"));
    },
  });
}

/** The response of `GET /api/_service/resources` to the caller. */
async function described(api: Api, context: Context): Promise<readonly JsonObject[]> {
  const answer = await api.ask(context, { method: "GET", path: "/_service/resources" });
  const { data }: { data: readonly JsonObject[] } = JSON.parse(await textOf(answer));
  return data;
}

function find(api: Api): AgentTool {
  return apiTool({
    name: "find",
    description: `Finds records of a resource: at most ${maxFound}, the newest first unless sorted. Returns { data, meta }; meta.total is the total number. Texts are cut at ${cutLength} characters unless you name them in fields.`,
    input: queryInput,
    shown: findShape,
    annotations,
    async run({ resource, ...query }, { context, caller }) {
      const found = api.resource(resource);
      const body = boundQuery(found.table, caller, query);
      return textOf(await found.ask(context, { method: "POST", path: "/_query", body }));
    },
  });
}

function get(api: Api): AgentTool {
  return apiTool({
    name: "get",
    description:
      "Reads one record by its id, with whole texts. Returns { record, etag }; the etag is null if fields or include is given.",
    input: getInput,
    annotations,
    async run({ resource, id, fields, include }, { context }) {
      const query = queryOf(shownParts({ fields, include }));
      const parts = { params: { id }, query };
      return recordText(
        await api.resource(resource).ask(context, { method: "GET", path: "/:id", ...parts }),
      );
    },
  });
}

type Parts = Pick<z.output<typeof getInput>, "fields" | "include">;

function shownParts({ fields, include }: Parts) {
  return { ...(fields && { fields: fields as never[] }), ...(include && { include }) };
}

function aggregate(api: Api): AgentTool {
  return apiTool({
    name: "aggregate",
    description:
      "Counts records and calculates sums, averages, minima and maxima of them, in groups. Returns { data: [{ by, count, sum, … }], meta: { more } }. Quicker and cheaper than reading the records.",
    input: queryInput,
    shown: aggregateShape,
    annotations,
    async run({ resource, ...body }, { context }) {
      return textOf(
        await api.resource(resource).ask(context, { method: "POST", path: "/_aggregate", body }),
      );
    },
  });
}
