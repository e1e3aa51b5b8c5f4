import { z } from "zod";
import { type BodyIssue, refuse } from "../errors/index.js";
import { type Context, readJson } from "../http/index.js";

/** The request's JSON body in its shape. Refuses every mistake at once, unknown keys included (422). */
export async function readBody<Shape extends z.ZodType>(
  context: Context,
  shape: Shape,
): Promise<z.output<Shape>> {
  return accept(shape, await readAccountJson(context));
}

/** Bytes. The largest body here is a passkey's, of some kilobytes; pictures are no JSON. */
const mostBytes = 16_384;

/** The request's JSON object. Refuses what is larger than any body of an account (413). */
export function readAccountJson(context: Context): Promise<Readonly<Record<string, unknown>>> {
  return readJson(context, mostBytes);
}

/** The value in its shape. Refuses every mistake at once (422). */
export function accept<Shape extends z.ZodType>(shape: Shape, value: unknown): z.output<Shape> {
  const result = shape.safeParse(value);
  if (result.success) return result.data;
  return refuse("INVALID", { issues: result.error.issues.flatMap(issuesOf) });
}

function issuesOf(issue: z.core.$ZodIssue): readonly BodyIssue[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: key, message: "Is not known here" }));
  }
  return [{ path: issue.path.join("."), message: issue.message }];
}

/** Any text. Passwords, tokens and challenges may be tried in every form; what they are worth is judged later. */
export const text = z.string({ error: "Must be text" });

/** A code as somebody typed or pasted it: blanks in it say nothing. */
export const typedCode = text.transform((typed) => typed.replaceAll(/\s/g, ""));
