import { channel } from "node:diagnostics_channel";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Express } from "express";
import { closeServer, type HttpParts, newExpress, newServer } from "../http/index.js";
import { StartRefused, startOrExit } from "./start.js";

/** A server made of the generated routes; nothing listens before `listen`. */
export interface App {
  /** The Express app below everything. */
  readonly express: Express;
  /** Express's own `use`: what is put in before `listen` runs before every route. */
  readonly use: Express["use"];
  /** Serves on the configured host and port until SIGTERM or SIGINT. Resolves with the address. */
  listen(): Promise<string>;
  /** Takes no more requests, lets those under way finish, closes the database. */
  close(): Promise<void>;
}

/** The last step of a start: Express around the routes, and the server around Express. */
export function newApp(parts: HttpParts): App {
  const { config, db, log } = parts.services;
  const app = newExpress(parts);
  let server: Server | null = null;

  async function listen(): Promise<string> {
    const opened = newServer(app, parts);
    server = opened;
    const { host } = config.server;
    await startOrExit(() => opening(opened, config.server));
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void stop());
    portNews.publish("listening");
    const address = addressOf(opened.address(), host);
    log.info({ address }, `${config.app.name} is listening on ${address}`);
    return address;
  }

  async function stop(): Promise<void> {
    await close();
    process.exit(0);
  }

  async function close(): Promise<void> {
    if (server !== null) await closeServer(server);
    await db.close();
  }

  return { express: app, use: app.use.bind(app), listen, close };
}

/** `listening` or `taken`; for `service dev`, which then announces the server or takes another port. */
const portNews = channel("service.port");

function opening(server: Server, place: { readonly port: number; readonly host: string }) {
  return new Promise<void>((resolve, reject) => {
    server.once("error", ({ code, message }: NodeJS.ErrnoException) => {
      if (code === "EADDRINUSE") portNews.publish("taken");
      reject(new StartRefused(`No way to listen (${message}): set PORT, or server.host`));
    });
    server.listen({ port: place.port, host: place.host }, () => resolve());
  });
}

function addressOf(address: AddressInfo | string | null, host: string): string {
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const name = host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
