import type { Schema } from "../kind/kind.js";
import { jsonAnswer, jsonBody, nullable, type Operation, objectSchema } from "./operation.js";

const blocks: Schema = nullable({
  type: "array",
  description: "At most 32 kB of JSON. Only the dashboard interprets a block.",
  items: { type: "object" },
});

const home = jsonAnswer("The caller's home.", objectSchema({ own: blocks, shared: blocks }));

/** Operations of the dashboard's home page: 404 in an app without accounts. */
export function homeOperations(tag: string): readonly Operation[] {
  return [
    {
      id: "getServiceHome",
      method: "get",
      path: "/_service/home",
      tag,
      summary: "The blocks of the dashboard's home: the caller's own, and those shared with all",
      answers: { 200: home },
      refusals: ["BadQuery", "NotFound"],
    },
    {
      id: "replaceServiceHome",
      method: "put",
      path: "/_service/home",
      tag,
      summary: "Home: replace the caller's blocks or, for operators, the shared ones",
      body: jsonBody({ anyOf: [objectSchema({ own: blocks }), objectSchema({ shared: blocks })] }),
      example: "replaceServiceHome",
      answers: { 200: home },
      refusals: ["BadBody", "NotFresh", "NotFound", "MediaType", "Invalid"],
    },
  ];
}
