import { isPublicRule } from "../../../runtime/values/access-rule.js";
import type { Model, Resource } from "../../model/model.js";
import { type Operation, string } from "../operation.js";
import { serviceTagName } from "../service.js";
import { query } from "./parameters.js";

/** Returns the operation for the stream of changes; empty if no resource has `changes`. */
export function changeOperations({ resources }: Model): readonly Operation[] {
  const watched = resources.filter(hasChanges);
  if (watched.length === 0) return [];
  const takesNoToken = watched.some(({ access }) => isPublicRule(access.list));
  return [{ ...stream, ...(takesNoToken && { takesNoToken }) }];
}

const hasChanges = ({ changes }: Resource) => changes !== null;

const stream: Operation = {
  id: "getServiceChanges",
  method: "get",
  path: "/_service/changes",
  tag: serviceTagName,
  summary: "A stream of changes",
  description: "Server-sent events: `ready`, `change`, `reset` and `end`.",
  parameters: [
    {
      name: "watch",
      in: "query",
      required: true,
      description:
        'For each resource, `true` or an object of `where` and `fields`: `{"products":{"where":{"status":"live"}}}`.',
      content: { "application/json": { schema: { type: "object", additionalProperties: true } } },
    },
    query("after", string, "The position after which the stream begins. Default: the current one."),
    {
      name: "Last-Event-ID",
      in: "header",
      description: "The position after which the stream begins; takes precedence over `after`.",
      schema: string,
    },
  ],
  answers: {
    200: {
      description: "The events, until either side closes the stream.",
      content: { "text/event-stream": { schema: string } },
    },
  },
  refusals: ["BadQuery", "Forbidden", "NotAcceptable", "TooManyAttempts"],
};
