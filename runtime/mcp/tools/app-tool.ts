import { refuse } from "../../errors/index.js";
import type { Context } from "../../http/index.js";
import {
  type Caller,
  type InputIssue,
  inScope,
  type Services,
  type Tool,
  type ToolContext,
} from "../../own-code/index.js";
import type { AgentTool } from "./tool.js";

/** Returns the context of app code for a caller. */
export type AppToolContext = (
  services: Services,
  caller: Caller,
) => Pick<ToolContext, "db" | "resources" | "log" | "traceparent">;

/** Wraps an app tool. Its input is validated before it runs (422). */
export function appTool(name: string, tool: Tool, contextOf: AppToolContext): AgentTool {
  const { input } = tool;
  const schema = input["~standard"];
  return {
    name,
    description: tool.description,
    inputSchema: { ...schema.jsonSchema.input({ target: "draft-2020-12" }), type: "object" },
    async run(sent, { context, caller }) {
      const judged = await schema.validate(sent);
      if (judged.issues !== undefined) {
        return refuse("INVALID", { issues: judged.issues.map(bodyIssue) });
      }
      const { services } = context;
      const scope = { request: services.request ?? null, caller, chain: [], holder: () => null };
      const returned = await whileConnected(context, (signal) =>
        inScope(scope, async () =>
          tool.run(judged.value, { ...contextOf(services, caller), caller, signal }),
        ),
      );
      return textOf(returned);
    },
  };
}

function bodyIssue({ path = [], message }: InputIssue) {
  const keys = path.map((part) => String(typeof part === "object" ? part.key : part));
  return { path: keys.join("."), message };
}

/** Serializes a result. Tools must return objects, so other JSON is wrapped as `{ result }`. */
function textOf(returned: unknown): string {
  const text = JSON.stringify(returned ?? {});
  return text.startsWith("{") ? text : `{"result":${text}}`;
}

/** Passes the work a signal that is aborted if the client disconnects. */
async function whileConnected<T>(
  { request: { socket } }: Context,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = new AbortController();
  const abort = () => gone.abort();
  socket.once("close", abort);
  try {
    return await work(gone.signal);
  } finally {
    socket.off("close", abort);
  }
}
