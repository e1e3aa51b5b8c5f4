import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type Socket, Server as SocketServer } from "node:net";
import { checkConnection, type Failure } from "./check.js";
import { type Connection, isIdle, newConnection } from "./connection.js";
import { newInFlight } from "./in-flight.js";
import type { ConnectionLimits } from "./limits.js";
import { newPeers } from "./peers.js";
import { quietest } from "./quietest.js";
import { reset } from "./reset.js";
import { newTurns } from "./turns.js";

export interface ConnectionHandlers {
  serve(request: IncomingMessage, response: ServerResponse): void;
  /** Responds with 503: the process is overloaded. */
  turnAway(request: IncomingMessage, response: ServerResponse): void;
  /** Ends a connection whose client is too slow. */
  refuseLate(connection: Connection): void;
}

/** The connections of one server. Determines the order in which requests run, and how many run at once. */
export interface Connections {
  /** Starts a request, or queues it. */
  enter(request: IncomingMessage, response: ServerResponse): void;
  /** Returns the connection of a socket; undefined once it is closed. */
  of(socket: Socket): Connection | undefined;
  /** Refuses further requests of the connection; `then` is called when the earlier ones have their responses. */
  end(connection: Connection, then: () => void): void;
  /**
   * Accepts no new connections and resolves when all have ended. Responses get `Connection: close`
   * and end their connections; idle connections end after `idleMs` milliseconds, and all others
   * after `drainMs`.
   */
  close(idleMs: number, drainMs: number): Promise<void>;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one machine, whose steps share the state of a server's connections
export function openConnections(
  server: Server,
  handlers: ConnectionHandlers,
  limits: ConnectionLimits,
): Connections {
  const all = new Map<Socket, Connection>();
  const inFlight = newInFlight(all, limits.inFlight);
  const peers = newPeers(limits.perAddress);
  // Responses from memory end as soon as they start: without this queue, all pipelined requests of one client would be
  // processed before another client's request is read.
  const turns = newTurns(proceed);
  let waiting = 0;
  let closing: "no" | "busy first" | "idle too" = "no";
  let onEmpty = () => {};

  server.on("connection", open);
  const checks = setInterval(checkAll, limits.checkMs).unref();
  server.once("close", () => clearInterval(checks));
  return { enter, of: (socket) => all.get(socket), end, close };

  function open(socket: Socket): void {
    // Node emits a socket again after a refused upgrade.
    if (all.has(socket)) return;
    if (!peers.admit(socket) || !hasPlace()) {
      socket.destroy();
      return;
    }
    const connection = newConnection(socket, finished);
    all.set(socket, connection);
    // Node resumes the socket after each request.
    socket.on("resume", () => {
      if (isHeld(connection)) socket.pause();
    });
    socket.on("error", () => {});
    socket.once("close", () => forget(connection));
  }

  function forget(connection: Connection): void {
    all.delete(connection.socket);
    const left = connection.running.splice(0);
    left.forEach(inFlight.abandon);
    left.forEach(closeUnsent);
    waiting -= connection.waiting.splice(0).length;
    if (all.size === 0) onEmpty();
  }

  /**
   * Whether there is room for a connection. If there is none, closes the quietest ones, so that idle clients do not
   * keep others out.
   */
  function hasPlace(): boolean {
    if (all.size < limits.connections) return true;
    for (const connection of quietest(all.values(), Math.ceil(limits.connections * clearedShare))) {
      connection.socket.destroy();
      // Removed immediately, because the socket's `close` event comes only after further connections.
      forget(connection);
    }
    return all.size < limits.connections;
  }

  function enter(request: IncomingMessage, response: ServerResponse): void {
    const connection = all.get(request.socket);
    if (connection === undefined || response.destroyed) return;
    if (connection.isEnding) stopReading(connection);
    else if (connection.waiting.length === 0 && hasRoom(connection)) start(connection, response);
    else wait(connection, response);
  }

  /** Whether the client has read the previous responses; until then the next one is not made. */
  function hasRoom({ running, socket }: Connection): boolean {
    return running.length === 0 || (running.length < limits.running && !socket.writableNeedDrain);
  }

  function wait({ socket, waiting: queue }: Connection, response: ServerResponse): void {
    queue.push(response);
    waiting += 1;
    if (waiting > limits.waiting) socket.destroy();
    else socket.pause();
  }

  function start(connection: Connection, response: ServerResponse): void {
    const { running, seen } = connection;
    const isOver = inFlight.isOver();
    seen.head = null;
    running.push(response);
    inFlight.begin();
    response.on("finish", connection.onFinish);
    if (closing !== "no") endWith(connection, response);
    if (connection.refuseIncomplete !== null && !response.req.complete)
      connection.refuseIncomplete(response);
    else if (isOver) handlers.turnAway(response.req, response);
    else handlers.serve(response.req, response);
  }

  function finished(connection: Connection): void {
    const { running, waiting: queue, socket, seen } = connection;
    const response = running.shift();
    if (response === undefined) return;
    const { req } = response;
    if (req.complete) inFlight.end();
    else {
      // Node drops a request that gets its response in the middle of its body; its handler would wait forever.
      socket.once("close", () => req.destroy());
      inFlight.abandon(response);
      seen.leftover = { at: performance.now(), bytes: socket.bytesRead, request: req };
    }
    if (queue.length > 0) turns.await(connection);
    else if (running.length === 0) becomeIdle(connection);
  }

  /** Starts the next request of a connection, one per call. */
  function proceed(connection: Connection): void {
    const { waiting: queue, socket } = connection;
    if (!hasRoom(connection)) return;
    const response = queue.shift();
    if (response !== undefined) {
      waiting -= 1;
      start(connection, response);
    }
    if (queue.length > 0) turns.await(connection);
    else if (!isHeld(connection)) socket.resume();
  }

  function becomeIdle(connection: Connection): void {
    connection.whenIdle?.();
    if (closing === "idle too") connection.socket.destroySoon();
  }

  function end(connection: Connection, then: () => void): void {
    connection.isEnding = true;
    if (isIdle(connection)) then();
    else connection.whenIdle = then;
  }

  function checkAll(): void {
    const now = performance.now();
    for (const connection of all.values()) {
      const failure = checkConnection(connection, now, limits);
      if (failure !== null) react(connection, failure);
    }
  }

  function react(connection: Connection, failure: Failure): void {
    if (failure === "late") handlers.refuseLate(connection);
    else reset(connection.socket);
  }

  /**
   * Marks the last response of a connection (`Connection: close`); pipelined requests not yet started get no response.
   */
  function endWith(connection: Connection, last: ServerResponse): void {
    if (last.headersSent) return;
    last.setHeader("connection", "close");
    connection.isEnding = true;
    waiting -= connection.waiting.splice(0).length;
  }

  function close(idleMs: number, drainMs: number): Promise<void> {
    closing = "busy first";
    const cut = setTimeout(() => all.forEach(({ socket }) => void socket.destroy()), drainMs);
    // Pending input is read first: a process that had no CPU time has read nothing in the meantime.
    const idle = setTimeout(setImmediate, idleMs, () => {
      closing = "idle too";
      for (const connection of all.values()) if (isIdle(connection)) connection.socket.destroy();
    });
    for (const connection of all.values()) {
      const last = connection.running.at(-1);
      if (last !== undefined) endWith(connection, last);
    }
    return Promise.all([stopListening(server), empty()]).then(() => {
      clearTimeout(cut);
      clearTimeout(idle);
    });
  }

  function empty(): Promise<void> {
    return new Promise((resolve) => {
      onEmpty = resolve;
      if (all.size === 0) resolve();
    });
  }
}

/** The fraction of connections closed per pass, because each pass scans all of them. */
const clearedShare = 1 / 64;

/** Whether reading from the socket is paused. */
function isHeld({ waiting, hasStoppedReading }: Connection): boolean {
  return hasStoppedReading || waiting.length > 0;
}

/** Closes the responses behind the one being sent, which Node does not: their handlers and log lines wait for it. */
function closeUnsent(response: ServerResponse): void {
  if (response.socket !== null) return;
  response.destroy();
  response.emit("close");
}

function stopReading(connection: Connection): void {
  connection.hasStoppedReading = true;
  connection.socket.pause();
}

/**
 * Stops listening. The `close` of an HTTP server would close idle connections immediately, perhaps while a client sends
 * a request.
 */
async function stopListening(server: Server): Promise<void> {
  if (server.listening) SocketServer.prototype.close.call(server);
}
