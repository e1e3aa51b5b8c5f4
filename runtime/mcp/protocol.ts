import {
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Answer, JsonObject } from "../http/index.js";
import { callTool } from "./tools/call.js";
import type { AgentTool, ToolCall } from "./tools/tool.js";

/** The server as agents see it. */
export interface AgentServer {
  readonly name: string;
  /** The version of the package. */
  readonly version: string;
  readonly tools: ReadonlyMap<string, AgentTool>;
}

const instructions =
  "The records of this app. Begin with list_resources and describe_resource; count and add up with aggregate rather than by reading. You may do what the owner of the token may do; a refusal states its status and reason.";

/**
 * Responds to one message of the Model Context Protocol, of revision 2026-07-28 or of 2024-11-05 to 2025-11-25. The
 * response is always JSON, not a stream: no tool sends anything before its result.
 */
export async function answerMessage(
  parts: AgentServer,
  message: JsonObject,
  call: ToolCall,
): Promise<Answer> {
  const request = webRequest(call);
  const received = { request, message };
  const response = (await isLegacyRequest(request, message))
    ? await answerLegacy(serverFor(parts, call), received)
    : await answerModern(parts, call, received);
  const text = await response.text();
  return { status: response.status, json: text === "" ? null : text };
}

/** A message and its request, in the types of the library. */
interface Received {
  readonly request: Request;
  readonly message: JsonObject;
}

function answerModern(
  parts: AgentServer,
  call: ToolCall,
  { request, message }: Received,
): Promise<Response> {
  const { log } = call.context.services;
  const { fetch } = createMcpHandler(() => serverFor(parts, call), {
    legacy: "reject",
    // No state is kept between requests, so subscriptions are not supported.
    maxSubscriptions: 0,
    onerror: (error) => log.debug({ err: error }, "message of an agent refused"),
  });
  return fetch(request, { parsedBody: message });
}

async function answerLegacy(server: McpServer, { request, message }: Received): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

/** Creates a server for one message: the protocol's handshake has no state to keep. */
function serverFor({ name, version, tools }: AgentServer, call: ToolCall): McpServer {
  // The tools change only with a new server, which could not notify agents. Without this key, the library announces
  // such notifications.
  const capabilities = { tools: { listChanged: false } };
  const mcp = new McpServer({ name, version }, { capabilities, instructions });
  // The library's registry of tools would validate inputs and return errors in another form than the API.
  mcp.server.setRequestHandler("tools/list", () => ({ tools: [...tools.values()].map(listed) }));
  mcp.server.setRequestHandler("tools/call", ({ params }) => {
    const tool = tools.get(params.name);
    if (tool === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no tool with that name");
    }
    return callTool(tool, params.arguments ?? {}, call);
  });
  return mcp;
}

function listed({ name, description, inputSchema, annotations }: AgentTool) {
  return { name, description, inputSchema, ...(annotations && { annotations }) };
}

/** Builds a request with the headers that the protocol reads. The response is JSON, whatever else is accepted. */
function webRequest({ context }: ToolCall): Request {
  const headers = new Headers({
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
  });
  for (const [name, value] of Object.entries(context.request.headers)) {
    if (name.startsWith("mcp-") && typeof value === "string") headers.set(name, value);
  }
  return new Request("http://localhost/api/_service/mcp", { method: "POST", headers });
}
