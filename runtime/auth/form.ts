import { type Context, readBytes } from "../http/index.js";

/** The maximum size of a form in bytes; Apple's contains a code and a name. */
const maxFormBytes = 16_384;

/** Reads the parameters of a form; returns null for another media type. */
export async function readForm(context: Context): Promise<URLSearchParams | null> {
  const type = context.request.headers["content-type"] ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) return null;
  const body = await readBytes(context, maxFormBytes);
  return new URLSearchParams(body.toString("utf8"));
}

/** The parameter's value; null unless it was sent exactly once. */
export function once(sent: URLSearchParams, name: string): string | null {
  const values = sent.getAll(name);
  return values.length === 1 ? (values[0] ?? null) : null;
}
