import { randomUUID } from "node:crypto";
import { type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { safeHeaders, sendLast } from "../answer/answer.js";
import { type Connection, incompleteRequest, isIdle } from "./connection.js";
import type { Connections } from "./connections.js";
import { maxHeaderLines } from "./head.js";

/** Milliseconds in which a client may read a refusal before its connection is closed. */
const readMs = 5_000;

/** The error of Node's parser for bytes that are not HTTP, with those bytes. */
type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

/**
 * Whether the request is a HEAD. Its response must not have a body, which the client would take for the next response.
 */
function isHead(packet: Buffer | undefined): boolean {
  return packet?.toString("latin1", 0, 5) === "HEAD ";
}

/** Responds to bytes that never become a request: malformed HTTP and `CONNECT`. */
export function refuseBroken(server: Server, connections: Connections): void {
  server.on("clientError", ({ code = "", rawPacket }: ParserError, socket) => {
    const connection = connectionOf(connections, socket);
    if (code === "ECONNRESET" || !socket.writable) socket.destroy();
    else if (connection !== undefined) {
      const refused = { status: statusOf(code), isHead: isHead(rawPacket) };
      refuseRest(connections, connection, refused);
    }
  });
  server.on("connect", (_request, socket) => {
    const connection = released(connections, socket);
    if (connection !== undefined) refuseRest(connections, connection, { status: 405 });
  });
}

/** Handles upgrade requests as if they had no `Upgrade` header. */
export function ignoreUpgrades(server: Server, connections: Connections): void {
  server.on("upgrade", (request, socket, head) => {
    const connection = released(connections, socket);
    if (connection === undefined) return;
    if (request.rawHeaders.length > maxHeaderLines * 2) {
      refuseRest(connections, connection, { status: 431 });
      return;
    }
    connections.end(connection, () => {
      readAsPlain(connection, request, head);
      server.emit("connection", connection.socket);
    });
  });
}

function connectionOf(connections: Connections, socket: Duplex): Connection | undefined {
  return connections.of(socket as Connection["socket"]);
}

/**
 * Returns the connection of a socket that Node has detached. Node no longer resumes the response that is being sent, so
 * a listener does.
 */
function released(connections: Connections, socket: Duplex): Connection | undefined {
  const connection = connectionOf(connections, socket);
  socket.on("drain", () => connection?.running[0]?.emit("drain"));
  return connection;
}

/** A refusal of bytes that are not a request. */
interface Refused {
  readonly status: number;
  /** Whether the response has no body, as for HEAD. */
  readonly isHead?: boolean;
}

/**
 * Refuses further requests of a connection. Nothing is written while a response is pending; the connection then ends
 * after that response.
 */
export function refuseRest(
  connections: Connections,
  connection: Connection,
  refused: Refused,
): void {
  const { status } = refused;
  const { socket, seen } = connection;
  if (connection.isEnding) return;
  const incomplete = incompleteRequest(connection);
  if (incomplete !== null) {
    // A request that has not been started would wait forever for the rest of its body.
    if (connection.waiting.length > 0)
      connection.refuseIncomplete = (response) => sendLast(response, refusal(status));
    else if (incomplete.headersSent) incomplete.destroy();
    else sendLast(incomplete, refusal(status));
  }
  if (!isIdle(connection)) {
    connections.end(connection, () => socket.destroySoon());
    return;
  }
  connections.end(connection, () => {});
  seen.deadline = performance.now() + readMs;
  socket.end(refusalText(refused));
  // Further bytes are discarded: unread, they would reset the connection before the client has read the response.
  socket.resume();
}

/**
 * Puts the request back without its `Upgrade` header. A server may continue in HTTP/1.1 (RFC 9110 §7.8), so the request
 * is parsed again.
 */
function readAsPlain(
  connection: Connection,
  { method, url, rawHeaders }: IncomingMessage,
  rest: Buffer,
): void {
  const { socket } = connection;
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === "upgrade") continue;
    lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  }
  connection.isEnding = false;
  connection.whenIdle = null;
  socket.removeAllListeners("drain");
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), rest]));
}

function refusal(status: number) {
  return { status, json: JSON.stringify({ error: STATUS_CODES[status] }) };
}

function refusalText({ status, isHead = false }: Refused): string {
  const { json } = refusal(status);
  const headers = [
    ...safeHeaders,
    ...(status === 405 ? [["allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"]] : []),
    ["x-request-id", randomUUID()],
    ["connection", "close"],
    ["content-type", "application/json; charset=utf-8"],
    ["content-length", json.length],
  ].map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join("")}\r\n${isHead ? "" : json}`;
}

function statusOf(code: string): number {
  return { HPE_HEADER_OVERFLOW: 431, HPE_CHUNK_EXTENSIONS_OVERFLOW: 413 }[code] ?? 400;
}
