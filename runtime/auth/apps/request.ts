import type { Config } from "../../config/index.js";
import { refuse } from "../../errors/index.js";
import type { Services } from "../../own-code/index.js";
import { once } from "../form.js";
import { clientAddress, isAllowedClient } from "../session/delegated/client.js";
import { resourcesOf, type Scope, webOrigin } from "../session/delegated/rules.js";
import { type AppDocument, DocumentRefused, readDocument } from "./document.js";
import { isRedirect, resourceNamed, scopeOf, withParameters } from "./rules.js";

/** An app's valid authorization request. */
export interface AppRequest {
  readonly clientId: string;
  /** The host in the client id. */
  readonly host: string;
  readonly name: string | null;
  readonly redirectUri: string;
  readonly state: string | null;
  readonly challenge: string;
  readonly scope: Scope;
  readonly resource: string;
}

/** The URL to which the browser returns with an error. */
export interface SentBack {
  readonly redirectTo: string;
}

type RequestServices = Pick<Services, "config" | "log">;

/**
 * Parses the query string of an app's authorization request. Mistakes are refused (400) until the redirect address is
 * verified; after that, they are returned as an error for that address.
 */
export async function readRequest(
  services: RequestServices,
  query: string,
): Promise<AppRequest | SentBack> {
  const { config } = services;
  const sent = readSent(query);
  const { url, document } = await readClient(services, sent);
  const redirectUri = readRedirect(sent, document, config);
  const state = sent.once("state");
  const grant = readAppRequest(sent, config);
  if ("error" in grant) return { redirectTo: answerTo(config, { redirectUri, state }, grant) };
  const { name } = document;
  return { clientId: url.href, host: url.host, name, redirectUri, state, ...grant };
}

/**
 * The redirect address of the app with the response, the `state` that the app sent, and the issuer
 * (RFC 9207).
 */
export function answerTo(
  config: Pick<Config, "webUrl">,
  { redirectUri, state }: Pick<AppRequest, "redirectUri" | "state">,
  answer: Readonly<Record<string, string>>,
): string {
  return withParameters(redirectUri, { ...answer, state, iss: webOrigin(config) });
}

interface Sent {
  /** The parameter's value; null if it is missing, empty or repeated. */
  once(name: string): string | null;
  isTwice(name: string): boolean;
}

function readSent(query: string): Sent {
  const parameters = new URLSearchParams(query);
  return {
    isTwice: (name) => parameters.getAll(name).length > 1,
    once: (name) => once(parameters, name) || null,
  };
}

async function readClient(
  { config, log }: RequestServices,
  sent: Sent,
): Promise<{ readonly url: URL; readonly document: AppDocument }> {
  const id = sent.once("client_id") ?? refuseRequest("The request needs exactly one client_id");
  const url = clientAddress(id) ?? refuseRequest("client_id is not the https URL of a document");
  const { apps } = config.auth;
  if (apps === null || !isAllowedClient(id, apps)) {
    return refuseRequest(`Apps of ${url.host} cannot be connected here`);
  }
  try {
    return { url, document: await readDocument(url, config) };
  } catch (error) {
    if (!(error instanceof DocumentRefused)) throw error;
    log.warn({ host: url.host, err: error.cause }, `An app was refused: ${error.message}`);
    return refuseRequest(error.message);
  }
}

function readRedirect(sent: Sent, document: AppDocument, { auth }: Pick<Config, "auth">): string {
  const redirectUri =
    sent.once("redirect_uri") ?? refuseRequest("The request needs exactly one redirect_uri");
  const isKnown = isRedirect(redirectUri, {
    schemes: auth.returnTo,
    listed: document.redirectUris,
  });
  return isKnown ? redirectUri : refuseRequest("redirect_uri is not listed in the app's document");
}

function refuseRequest(error: string): never {
  return refuse("BAD_REQUEST", { error });
}

/** An error as in RFC 6749 §4.1.2.1 or RFC 8707 §2. */
type Mistake = { readonly error: string; readonly error_description: string };

function mistake(error: string, description: string): Mistake {
  return { error, error_description: description };
}

const parameters = ["response_type", "state", "scope", "code_challenge", "code_challenge_method"];

function readAppRequest(
  sent: Sent,
  config: Pick<Config, "webUrl">,
): Pick<AppRequest, "challenge" | "scope" | "resource"> | Mistake {
  const twice = [...parameters, "response_mode"].find(sent.isTwice);
  if (twice !== undefined) return mistake("invalid_request", `${twice} is repeated`);
  const type = sent.once("response_type");
  if (type === null) return mistake("invalid_request", "response_type is missing");
  if (type !== "code")
    return mistake("unsupported_response_type", "Only response_type code is supported");
  if ((sent.once("response_mode") ?? "query") !== "query") {
    return mistake("invalid_request", "response_mode must be query");
  }
  const challenge = sent.once("code_challenge") ?? "";
  // If omitted, the method would be `plain` (RFC 7636 §4.3).
  if (sent.once("code_challenge_method") !== "S256" || !s256.test(challenge)) {
    return mistake(
      "invalid_request",
      "A code_challenge with code_challenge_method S256 is required",
    );
  }
  const scope = scopeOf(sent.once("scope"));
  if (scope === null) return mistake("invalid_scope", "The supported scopes are read and write");
  const { mcp, api } = resourcesOf(config);
  const named = sent.once("resource");
  const resource = named === null ? mcp : resourceNamed(named, [mcp, api]);
  if (resource === null || sent.isTwice("resource")) {
    return mistake("invalid_target", `resource must be ${mcp} or ${api}`);
  }
  return { challenge, scope, resource };
}

/** Matches 32 bytes in base64url. */
const s256 = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;
