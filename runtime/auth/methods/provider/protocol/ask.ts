import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isLoopbackHost } from "../../../../values/addresses/issuer.js";

/** A provider that does not respond as required; the sign-in may be retried. The message is for the log. */
export class ProviderUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ProviderUnavailable";
  }
}

/** Timeout of a request. A person waits in a browser for the response; providers take some hundred milliseconds. */
const maxMilliseconds = 5000;
const tooSlow = "does not respond within 5 seconds";
/** Maximum size of a response. Metadata, keys and claims take a few kilobytes. */
const maxBytes = 1_048_576;

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestInit["body"] | undefined;
}

export interface WholeAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Like `askWhole`, but returns a `Response` for libraries. */
export async function ask(
  issuing: { readonly issuer: string },
  url: string,
  options: AskOptions = {},
): Promise<Response> {
  return responseOf(await askWhole(issuing, url, options));
}

export function responseOf({ status, headers, bytes }: WholeAnswer): Response {
  const hasBody = ![204, 205, 304].includes(status);
  return new Response(hasBody ? bytes : null, { status, headers });
}

/**
 * Sends a request to a provider and reads the complete response; redirects are returned, not followed. Throws
 * `ProviderUnavailable` if the response is late, incomplete or too large, and for 429 and 5xx.
 */
export async function askWhole(
  { issuer }: { readonly issuer: string },
  url: string,
  { method = "GET", headers = {}, body }: AskOptions = {},
): Promise<WholeAnswer> {
  if (!isTrustworthy(issuer, url)) {
    throw new ProviderUnavailable("names an address that is not https");
  }
  const signal = AbortSignal.timeout(maxMilliseconds);
  try {
    const incoming = await send(url, { method, headers, body }, signal);
    const bytes = await readWhole(incoming);
    const { statusCode: status = 0 } = incoming;
    if (status < 200 || status >= 500 || status === 429)
      throw new ProviderUnavailable(`answers ${status}`);
    return { status, headers: headersOf(incoming), bytes };
  } catch (cause) {
    if (cause instanceof ProviderUnavailable) throw cause;
    throw new ProviderUnavailable(signal.aborted ? tooSlow : reasonOf(cause), { cause });
  }
}

/** Sends a request without `fetch`, which takes three times the CPU time. */
function send(url: string, { method, headers, body }: AskOptions, signal: AbortSignal) {
  // Some providers refuse requests without a user agent.
  const options = { method, headers: { "user-agent": "service", ...headers }, signal };
  const request = url.startsWith("https:") ? requestHttps : requestHttp;
  return new Promise<IncomingMessage>((resolve, reject) => {
    request(url, options, resolve)
      .on("error", reject)
      .end(body === undefined || body === null ? undefined : String(body));
  });
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  return headers;
}

/**
 * Whether an address in an issuer's metadata may be requested, or opened in a browser: https, or http if the issuer is
 * this machine.
 */
export function isTrustworthy(issuer: string, address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  if (protocol === "https:") return true;
  return protocol === "http:" && isLoopbackHost(hostname) && isLocal(issuer);
}

/** Whether an issuer is this machine, addressed without encryption. */
export function isLocal(issuer: string): boolean {
  const { protocol, hostname } = new URL(issuer);
  return protocol === "http:" && isLoopbackHost(hostname);
}

/** Whether an error is, or was caused by, an unavailable provider. */
export function isUnavailable(error: unknown): error is Error {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one instanceof ProviderUnavailable) return true;
  }
  return false;
}

async function readWhole(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of incoming) {
    length += part.length;
    // Leaving the loop destroys the rest of the response.
    if (length > maxBytes) throw new ProviderUnavailable("returns more than 1 MB");
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
  return `does not respond${code}`;
}
