export type { AgentParts } from "./agents.js";
export { mcpRoutes } from "./route.js";
export { toolProblems } from "./tools/problems.js";
