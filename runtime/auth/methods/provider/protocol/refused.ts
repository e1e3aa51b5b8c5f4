/** An invalid provider response or ID token. The message is for the log, and contains nothing from the provider. */
export class AnswerRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = "AnswerRefused";
  }
}

/** Error codes of OAuth 2.0, OpenID Connect and GitHub. */
const knownCodes = new Set(
  [
    "access_denied account_selection_required consent_required interaction_required login_required",
    "invalid_client invalid_grant invalid_redirect_uri invalid_request invalid_scope invalid_token",
    "insufficient_scope server_error temporarily_unavailable unauthorized_client",
    "unsupported_grant_type unsupported_response_type unmet_authentication_requirements",
    "application_suspended bad_verification_code incorrect_client_credentials redirect_uri_mismatch",
    "unverified_user_email",
  ]
    .join(" ")
    .split(" "),
);

/**
 * Returns a provider's error code for the log; non-standard codes are omitted, because they could contain personal
 * data.
 */
export function knownCode(code: unknown): string {
  return typeof code === "string" && knownCodes.has(code) ? code : "a non-standard error";
}
