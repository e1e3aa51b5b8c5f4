import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { request as httpsRequest } from "node:https";
import type { IpRange } from "../values/addresses/ip-range.js";
import { type AddressProblem, addressesOf, problemOf, type Resolve } from "./resolve.js";

/** A request to an address that another party has chosen. */
export interface DialParts {
  readonly method: "GET" | "POST";
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string;
  /** Ranges that may be called besides the public internet: `webhooks.allow`. */
  readonly allowed: readonly IpRange[];
  readonly signal: AbortSignal;
  readonly resolve?: Resolve;
}

/** Nothing was sent, because the address may not be called. */
export class AddressRefused extends Error {
  constructor(problem: AddressProblem) {
    super(
      problem === "private"
        ? "The address is private, and webhooks.allow does not list it"
        : "The address has no TLS, and webhooks.allow does not list it",
    );
    this.name = "AddressRefused";
  }
}

/** Maximum number of bytes in a response's head. */
const maxHeadBytes = 8_192;

/**
 * Sends a request, and resolves with the head of the response, whose body has to be read or
 * destroyed. The host is resolved once: the same addresses are checked and connected to. No
 * redirect is followed and no proxy is used.
 */
export async function dial(
  url: URL,
  { method, headers, body, allowed, signal, resolve }: DialParts,
): Promise<IncomingMessage> {
  const addresses = await unlessAborted(addressesOf(url, resolve), signal);
  const problem = problemOf(url, addresses, allowed);
  if (problem !== null) throw new AddressRefused(problem);
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise<IncomingMessage>((resolveAnswer, reject) => {
    const outgoing = send(url, {
      method,
      signal,
      // A new connection: an open one to that name may go to another address than the one that was checked.
      agent: false,
      maxHeaderSize: maxHeadBytes,
      headers,
      lookup: (_host, { all }, found) => {
        const [first] = addresses;
        if (all || first === undefined) found(null, [...addresses]);
        else found(null, first.address, first.family);
      },
    });
    outgoing.on("response", resolveAnswer);
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Rejects on abort. Resolving a name cannot be aborted, so its result is then ignored. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
