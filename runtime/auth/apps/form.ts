import { refuse } from "../../errors/index.js";
import { type Answer, type Context, refuseEncoded } from "../../http/index.js";
import { readForm as readParameters } from "../form.js";

/** The parameters of a form, each sent exactly once and not empty. */
export type Form = ReadonlyMap<string, string>;

/** An error as in RFC 6749 §5.2. */
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

/** Returns a 400 response in the form that OAuth libraries expect. */
export function errorAnswer({ error, description }: OAuthError): Answer {
  return {
    status: 400,
    json: JSON.stringify({ error, error_description: description }),
    headers: { pragma: "no-cache" },
  };
}

/** Reads a form. Refuses other media types (415) and repeated parameters; an empty parameter counts as missing. */
export async function readForm(context: Context): Promise<Form | OAuthError> {
  refuseEncoded(context.request);
  const sent = await readParameters(context);
  if (sent === null) {
    refuse("UNSUPPORTED_MEDIA_TYPE", { error: "Send application/x-www-form-urlencoded" });
  }
  const names = [...sent.keys()];
  if (new Set(names).size < names.length) {
    return oauthError("invalid_request", "A parameter is repeated");
  }
  return new Map([...sent].filter(([, value]) => value !== ""));
}

export function isError(form: Form | OAuthError): form is OAuthError {
  return "error" in form;
}
