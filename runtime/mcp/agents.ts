import type { Route } from "../http/index.js";
import type { Tool } from "../own-code/index.js";
import type { ResourceDefinition } from "../resource/index.js";
import type { AgentServer } from "./protocol.js";
import { apiOf } from "./tools/api.js";
import { type AppToolContext, appTool } from "./tools/app-tool.js";
import { readingTools } from "./tools/reading.js";
import { writingTools } from "./tools/writing.js";

export { answerMessage } from "./protocol.js";

/** The parts of a server that the agent interface uses. */
export interface AgentParts {
  /** Whether agents have access; `read` offers only tools that do not write. */
  readonly access: boolean | "read";
  readonly name: string;
  /** The version of the package. */
  readonly version: string;
  /** All routes except those for agents. */
  readonly routes: readonly Route[];
  readonly definitions: readonly ResourceDefinition[];
  readonly tools: Readonly<Record<string, Tool>>;
  readonly appToolContext: AppToolContext;
  /**
   * `WWW-Authenticate` of a 401, from which agents discover how to get a token. The default only asks for a bearer
   * token.
   */
  readonly challenge?: string;
}

/** Creates the app as agents see it, with the tools that it offers them. */
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
