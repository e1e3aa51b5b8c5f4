import type { Tool } from "../../own-code/index.js";
import type { Problem } from "../../values/problem.js";

const packageTools: readonly string[] = [
  "list_resources",
  "describe_resource",
  "find",
  "get",
  "aggregate",
  "create",
  "update",
  "delete",
  "batch",
];

/** The maximum length of a tool's name in characters: the limit of LLM clients. */
const maxNameLength = 64;

const example =
  'for example { description: "…", input: z.object({ … }), run: async (input, context) => … }';

/** Finds mistakes in app tools that agents would otherwise discover only by calling them. */
export function toolProblems(
  tools: Readonly<Record<string, unknown>>,
): readonly Pick<Problem, "message" | "hint">[] {
  return Object.entries(tools).flatMap(([name, tool]) => {
    const problem = problemOf(name, tool);
    return problem === null ? [] : [{ ...problem, message: `tools: ${problem.message}` }];
  });
}

function problemOf(name: string, tool: unknown): Pick<Problem, "message" | "hint"> | null {
  if (packageTools.includes(name)) {
    return { message: `"${name}" is a tool of the package`, hint: "give yours another name" };
  }
  if (!/^[A-Za-z][A-Za-z0-9_-]*$/.test(name) || name.length > maxNameLength) {
    const hint = `use up to ${maxNameLength} letters, digits, - and _, a letter first`;
    return { message: `"${name}" is not a valid tool name`, hint };
  }
  if (!isTool(tool)) {
    return { message: `"${name}" must have a description, an input and run`, hint: example };
  }
  if (isObjectInput(tool)) return null;
  const message = `the input of "${name}" is not an object that can be written as JSON Schema`;
  return { message, hint: "pass a z.object({ … }) of zod 4.2 or newer" };
}

function isTool(tool: unknown): tool is Tool {
  if (typeof tool !== "object" || tool === null) return false;
  const { description, input, run } = tool as Partial<Tool>;
  const isSchema = (typeof input === "object" || typeof input === "function") && input !== null;
  return typeof description === "string" && isSchema && typeof run === "function";
}

function isObjectInput({ input }: Tool): boolean {
  try {
    return input["~standard"].jsonSchema.input({ target: "draft-2020-12" }).type === "object";
  } catch {
    return false;
  }
}
