import type { z } from "zod";
import { accept } from "../../auth/index.js";
import { schemaOf } from "./inputs.js";
import type { AgentTool, ToolCall } from "./tool.js";

interface Described<Input extends z.ZodObject> extends Omit<AgentTool, "inputSchema" | "run"> {
  /** Validated (422) before the tool runs; the route validates the rest. */
  readonly input: Input;
  /** The schema that agents see instead of `input`, if the route validates more. */
  readonly shown?: z.ZodObject;
  run(input: z.output<Input>, call: ToolCall): Promise<string>;
}

/** Creates a tool that calls routes of the API. */
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
