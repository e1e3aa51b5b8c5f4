import { refuseWriteOfReader } from "../auth/index.js";
import {
  isBody,
  type JsonObject,
  type Route,
  readJsonBody,
  refuseUnauthenticated,
  takesQuery,
} from "../http/index.js";
import type { AgentParts } from "./agents.js";
import { refuseOtherOrigins } from "./origin.js";
import type { AgentServer } from "./protocol.js";

/** `POST /_service/mcp`: offers the app's tools to agents. Returns no route if agents have no access. */
export function mcpRoutes(parts: AgentParts): readonly Route[] {
  if (parts.access === false) return [];
  let server: AgentServer | undefined;
  return [
    {
      method: "POST",
      path: "/_service/mcp",
      access: "signed-in",
      ...(parts.challenge !== undefined && { challenge: parts.challenge }),
      // The address configured for an agent may carry query parameters of other programs.
      handle: takesQuery(async (context) => {
        refuseOtherOrigins(context);
        const { value: message, bytes } = await readJsonBody(context);
        const caller = context.caller ?? refuseUnauthenticated();
        // Loaded on the first request: most servers have no agents.
        const { agentServer, answerMessage } = await import("./agents.js");
        server ??= agentServer(parts);
        const reads = isRead(message, server);
        if (!reads) await refuseWriteOfReader(context);
        const answer = await answerMessage(server, message, {
          context,
          caller,
          text: new TextDecoder().decode(bytes),
        });
        return { ...answer, ...(reads && { isRead: true }) };
      }),
    },
  ];
}

/** Whether the message cannot write. */
function isRead({ method, params }: JsonObject, { tools }: AgentServer): boolean {
  if (method !== "tools/call") return true;
  const name = isBody(params) ? params.name : undefined;
  return typeof name === "string" && tools.get(name)?.annotations?.readOnlyHint === true;
}
