import type { z } from "zod";
import { type BodyIssue, refuse } from "../errors/index.js";
import { type Context, readJson } from "../http/index.js";

/** The request's JSON body in its shape. Refuses every mistake at once, unknown keys included (422). */
export async function readBody<Shape extends z.ZodType>(
  context: Context,
  shape: Shape,
): Promise<z.output<Shape>> {
  return accept(shape, await readJson(context));
}

/** The value in its shape. Refuses every mistake at once (422). */
export function accept<Shape extends z.ZodType>(shape: Shape, value: unknown): z.output<Shape> {
  const result = shape.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues.flatMap(issuesOf).slice(0, mostIssues);
  return refuse("INVALID", { issues });
}

// No body has so many keys; without an end to them, anybody could ask for answers of megabytes.
const mostIssues = 100;

function issuesOf(issue: z.core.$ZodIssue): readonly BodyIssue[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: key, message: "Is not known here" }));
  }
  return [{ path: issue.path.join("."), message: issue.message }];
}
