import type { Route } from "../http/index.js";
import type { Tool } from "../own-code/index.js";
import type { ResourceDefinition } from "../resource/index.js";
import type { AgentServer } from "./protocol.js";
import { apiOf } from "./tools/api.js";
import { type AppToolContext, appTool } from "./tools/app-tool.js";
import { readingTools } from "./tools/reading.js";
import { writingTools } from "./tools/writing.js";

export { answerMessage } from "./protocol.js";

/** What agents work with. */
export interface AgentParts {
  /** Whether there is such a route; `read`: without the tools that write. */
  readonly access: boolean | "read";
  /** The app's name. */
  readonly name: string;
  /** Of the package. */
  readonly version: string;
  /** All routes but its own. */
  readonly routes: readonly Route[];
  readonly definitions: readonly ResourceDefinition[];
  /** The app's own, by name. */
  readonly tools: Readonly<Record<string, Tool>>;
  /** What the app's own tools may use, besides what belongs to a call. */
  readonly appToolContext: AppToolContext;
  /** `WWW-Authenticate` of a 401, where agents can find out how to get a token; left out: that one is needed. */
  readonly challenge?: string;
}

/** What agents see of the app: the tools that it gives them. */
export function agentServer(parts: AgentParts): AgentServer {
  const { name, version, access } = parts;
  const api = apiOf(parts.routes, parts.definitions);
  const tools = [
    ...readingTools(api),
    ...(access === "read" ? [] : writingTools(api)),
    ...Object.entries(parts.tools).map(([own, tool]) => appTool(own, tool, parts.appToolContext)),
  ];
  return { name, version, tools: new Map(tools.map((tool) => [tool.name, tool])) };
}
