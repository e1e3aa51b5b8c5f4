import { z } from "zod";
import { type BodyIssue, refuse } from "../errors/index.js";
import { type Context, readJson } from "../http/index.js";

/**
 * Reads the request's JSON body and validates it against the shape. Reports all errors together, including unknown keys
 * (422).
 */
export async function readBody<Shape extends z.ZodType>(
  context: Context,
  shape: Shape,
): Promise<z.output<Shape>> {
  return accept(shape, await readAccountJson(context));
}

/** Maximum size in bytes. The largest JSON body below `/auth` is a passkey credential of a few kilobytes. */
const maxBodyBytes = 16_384;

/** Reads the request's JSON object. Refuses bodies larger than any that routes below `/auth` accept (413). */
export function readAccountJson(context: Context): Promise<Readonly<Record<string, unknown>>> {
  return readJson(context, maxBodyBytes);
}

/** Validates a value against the shape. Reports all errors together (422). */
export function accept<Shape extends z.ZodType>(shape: Shape, value: unknown): z.output<Shape> {
  const result = shape.safeParse(value);
  if (result.success) return result.data;
  return refuse("INVALID", { issues: result.error.issues.flatMap(issuesOf) });
}

function issuesOf(issue: z.core.$ZodIssue): readonly BodyIssue[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: key, message: "Is not a known key" }));
  }
  return [{ path: issue.path.join("."), message: issue.message }];
}

/**
 * A shape that depends on the settings. It is created once for each settings object, because creating it takes longer
 * than parsing with it.
 */
export function shapeOf<Settings extends object, Shape>(make: (config: Settings) => Shape) {
  const made = new WeakMap<Settings, Shape>();
  return (config: Settings): Shape => {
    const shape = made.get(config) ?? make(config);
    made.set(config, shape);
    return shape;
  };
}

/** Any text. Passwords, tokens and challenges are not validated here; they are verified later. */
export const text = z.string({ error: "Must be text" });

/** A code as typed or pasted; whitespace in it is ignored. */
export const codeText = text.transform((typed) => typed.replaceAll(/\s/g, ""));
