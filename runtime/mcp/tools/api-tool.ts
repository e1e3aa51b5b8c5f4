import type { z } from "zod";
import { accept } from "../../auth/index.js";
import { schemaOf } from "./inputs.js";
import type { AgentTool, ToolCall } from "./tool.js";

interface Described<Input extends z.ZodObject> extends Omit<AgentTool, "inputSchema" | "run"> {
  /** What is judged (422) before the tool runs; what it leaves open is judged by the route. */
  readonly input: Input;
  /** What agents see instead, where the route judges more of it. */
  readonly shown?: z.ZodObject;
  run(input: z.output<Input>, call: ToolCall): Promise<string>;
}

/** A tool over the routes of the API. */
export function apiTool<Input extends z.ZodObject>({
  input,
  shown = input,
  run,
  ...described
}: Described<Input>): AgentTool {
  return {
    ...described,
    inputSchema: schemaOf(shown),
    run: async (sent, call) => run(accept(input, sent), call),
  };
}
