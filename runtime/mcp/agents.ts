import type { Route } from "../http/index.js";
import type { Tool } from "../own-code/index.js";
import type { ResourceDefinition } from "../resource/index.js";
import type { AgentServer } from "./protocol.js";
import { apiOf } from "./tools/api.js";
import { type AppToolContext, appTool } from "./tools/app-tool.js";
import { readingTools } from "./tools/reading.js";
import { writingTools } from "./tools/writing.js";

export { answerMessage } from "./protocol.js";

/** The parts of a server that its agents use. */
export interface AgentParts {
  /** Whether agents have access; `read`: without the tools that write. */
  readonly access: boolean | "read";
  /** The app's name. */
  readonly name: string;
  /** The version of the package. */
  readonly version: string;
  /** All routes except the agents' own. */
  readonly routes: readonly Route[];
  readonly definitions: readonly ResourceDefinition[];
  /** The app's tools, by name. */
  readonly tools: Readonly<Record<string, Tool>>;
  /** Creates the context of the app's tools. */
  readonly appToolContext: AppToolContext;
  /**
   * `WWW-Authenticate` of a 401, from which agents can find out how to get a token. By default it only asks for a
   * token.
   */
  readonly challenge?: string;
}

/** The app as agents see it: the tools that it offers them. */
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
