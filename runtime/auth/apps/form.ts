import { refuse } from "../../errors/index.js";
import { type Answer, type Context, readBytes, refuseEncoded } from "../../http/index.js";

/** Bytes of a form. */
const maxFormBytes = 16_384;

/** The parameters of a form, each of which is there once and not empty. */
export type Form = ReadonlyMap<string, string>;

/** An error of RFC 6749 §5.2. */
export interface OAuthError {
  readonly error:
    | "invalid_request"
    | "invalid_grant"
    | "invalid_scope"
    | "invalid_target"
    | "unsupported_grant_type";
  readonly description: string;
}

export function oauthError(error: OAuthError["error"], description: string): OAuthError {
  return { error, description };
}

/** 400, in the form that libraries read. */
export function errorAnswer({ error, description }: OAuthError): Answer {
  return {
    status: 400,
    json: JSON.stringify({ error, error_description: description }),
    headers: { pragma: "no-cache" },
  };
}

/** Reads a form. Refuses another media type (415), and a parameter that is there twice; an empty one is as if left out. */
export async function readForm(context: Context): Promise<Form | OAuthError> {
  const { headers } = context.request;
  const type = headers["content-type"] ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
    refuse("UNSUPPORTED_MEDIA_TYPE", { error: "Send application/x-www-form-urlencoded" });
  }
  refuseEncoded(context.request);
  const bytes = await readBytes(context, maxFormBytes);
  const form = new Map<string, string>();
  const seen = new Set<string>();
  for (const [name, value] of new URLSearchParams(bytes.toString("utf8"))) {
    if (seen.has(name)) return oauthError("invalid_request", "A parameter is there twice");
    seen.add(name);
    if (value !== "") form.set(name, value);
  }
  return form;
}

export function isError(form: Form | OAuthError): form is OAuthError {
  return "error" in form;
}
