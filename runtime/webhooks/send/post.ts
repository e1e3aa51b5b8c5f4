import type { IncomingMessage } from "node:http";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { IpRange } from "../../values/addresses/ip-range.js";
import { type AddressProblem, addressesOf, problemOf, type Resolve } from "../address/resolve.js";

/** A request to a receiver. */
export interface PostParts {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly allowed: readonly IpRange[];
  /** Aborts the request. */
  readonly signal: AbortSignal;
  readonly resolve?: Resolve;
}

/** A receiver's response. */
export interface Answered {
  readonly status: number;
  readonly retryAfter: string | undefined;
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

/**
 * Sends a body once, and resolves with the status. The host is resolved once: the checked addresses are the ones
 * connected to. It follows no redirect and uses no proxy. It reads only the head of the response and the first bytes of
 * its body.
 */
export async function post({
  url: written,
  body,
  headers,
  ...parts
}: PostParts): Promise<Answered> {
  const { allowed, signal, resolve } = parts;
  const url = new URL(written);
  const addresses = await unlessAborted(addressesOf(url, resolve), signal);
  const problem = problemOf(url, addresses, allowed);
  if (problem !== null) throw new AddressRefused(problem);
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  const answer = await new Promise<IncomingMessage>((resolveAnswer, reject) => {
    const outgoing = send(url, {
      method: "POST",
      signal,
      // A new connection: an open one to that name may lead to another address than the one checked.
      agent: false,
      maxHeaderSize: maxHeadBytes,
      headers: {
        ...headers,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        "user-agent": "service-webhooks/1",
        accept: "*/*",
      },
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
  await drop(answer);
  const retryAfter = answer.headers["retry-after"];
  return { status: answer.statusCode ?? 0, retryAfter };
}

/** The most bytes of a response's head. */
const maxHeadBytes = 8_192;
/** Bytes and milliseconds of the body that are read, so that a receiver with a short response can end normally. */
const maxBodyBytes = 4_096;
const maxBodyMs = 1_000;

/** Reads the beginning of a body and closes the connection; never rejects. */
function drop(answer: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const end = () => answer.destroy();
    const late = setTimeout(end, maxBodyMs);
    answer.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBodyBytes) end();
    });
    answer.on("end", end);
    answer.on("error", () => {});
    answer.on("close", () => {
      clearTimeout(late);
      resolve();
    });
  });
}

/** Resolving a name cannot be aborted; after an abort its result is ignored. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
