import type { CallToolResult } from "@modelcontextprotocol/server";
import { errorAnswer, type JsonObject, logForbidden } from "../../http/index.js";
import type { AgentTool, ToolCall } from "./tool.js";

/** Calls a tool. Refusals and failures are returned as results too: agents read them and continue. */
export async function callTool(
  tool: AgentTool,
  input: JsonObject,
  call: ToolCall,
): Promise<CallToolResult> {
  try {
    return resultOf(await tool.run(input, call));
  } catch (error) {
    const { services } = call.context;
    logForbidden(services, { method: "tool", url: tool.name }, error);
    const { status, json } = errorAnswer(error, services.log);
    const body = JSON.parse(json ?? "{}");
    return { isError: true, ...resultOf(JSON.stringify({ status, ...body })) };
  }
}

/** The result for old and new clients: some read only its text. */
function resultOf(text: string): CallToolResult {
  return { structuredContent: JSON.parse(text), content: [{ type: "text", text }] };
}
