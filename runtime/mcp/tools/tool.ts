import type { Context, JsonObject } from "../../http/index.js";
import type { Caller } from "../../own-code/index.js";

/** A tool as agents see it, with its function. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of its input, an object. */
  readonly inputSchema: { readonly type: "object"; readonly [key: string]: unknown };
  readonly annotations?: ToolAnnotations;
  /**
   * Returns the result, an object as JSON text, in which numbers that JavaScript cannot represent, such as long sums,
   * stay exact. Throws refusals.
   */
  run(input: JsonObject, call: ToolCall): Promise<string>;
}

/** Hints that let clients ask their user before a tool does harm. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
  /** False: the tool reaches nothing but this app. */
  readonly openWorldHint: false;
}

/** One call of a tool. */
export interface ToolCall {
  /** The context of the agent's request. */
  readonly context: Context;
  readonly caller: Caller;
  /** The raw text of the agent's message. */
  readonly text: string;
}
