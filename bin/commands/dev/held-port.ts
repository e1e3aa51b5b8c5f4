import type { ChildProcess } from "node:child_process";
import { createServer as createHttpServer, type ServerResponse } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { newDistribution } from "../../../runtime/app/index.js";
import { listenOn, type Place } from "../../../runtime/command/app/listen.js";

/**
 * The port of the development server, which stays open while the app restarts. This process accepts connections and
 * passes them to the running server, as a cluster's primary does with its workers.
 */
export interface HeldPort {
  isOpenAt(place: Place): boolean;
  /** Opens the port and closes the previous one; resolves with false if another program is using the port. */
  open(place: Place): Promise<boolean>;
  /** Passes connections to the server from the time it is ready until it exits. */
  serveBy(server: ChildProcess): void;
  /** Holds connections until the next server is ready. */
  wait(): void;
  /** Responds with 503 until the next `wait`, as no server is about to start. */
  refuse(): void;
  /** Stops listening; held connections keep waiting. */
  free(): void;
  /** Stops listening and closes held connections. */
  close(): void;
}

/** Milliseconds that a connection waits for the next server. */
const usualPatience = 30_000;

const sentences = {
  waiting: "The server is still starting: try again in a moment",
  refusing: "The server is not running: the output of npx service dev has the reason",
};

const whereToListen = { who: "server", hint: "set PORT, or server.host" } as const;

export function newHeldPort(patience = usualPatience): HeldPort {
  let state: keyof typeof sentences | "closed" = "waiting";
  let listener: { readonly server: Server; readonly place: Place } | null = null;
  const refuser = createHttpServer((request, response) => {
    // A response sent before the whole request body has arrived may not reach the client.
    request.resume().once("end", () => answerUnavailable(response));
  });
  const distribution = newDistribution({ patience, refuse });

  function accept(socket: Socket): void {
    if (state === "waiting") distribution.give(socket);
    else refuse(socket);
  }

  function refuse(socket: Socket): void {
    if (state === "closed") socket.destroy();
    else {
      refuser.emit("connection", socket);
      socket.resume();
    }
  }

  function answerUnavailable(response: ServerResponse): void {
    if (state === "closed") return void response.destroy();
    response.writeHead(503, {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "retry-after": "1",
      connection: "close",
    });
    response.end(JSON.stringify({ error: sentences[state] }));
  }

  function isOpenAt({ host, port }: Place): boolean {
    return listener?.place.host === host && listener.place.port === port;
  }

  function free(): void {
    listener?.server.close();
    listener = null;
  }

  return {
    isOpenAt,
    async open(place) {
      if (isOpenAt(place)) return true;
      free();
      const server = createServer({ pauseOnConnect: true, noDelay: true }, accept);
      if ((await listenOn(server, place, whereToListen)) === null) return false;
      listener = { server, place };
      return true;
    },
    serveBy: distribution.add,
    wait() {
      state = "waiting";
    },
    refuse() {
      state = "refusing";
      distribution.close();
    },
    free,
    close() {
      free();
      state = "closed";
      distribution.close();
    },
  };
}
