import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Express, Router } from "express";
import { systemClock } from "../../../runtime/clock/index.js";
import { readConfig } from "../../../runtime/config/index.js";
import { openDatabase } from "../../../runtime/db/index.js";
import {
  closeServer,
  type HttpParts,
  newOuterExpress,
  newServer,
  type Route,
} from "../../../runtime/http/index.js";
import type { Caller } from "../../../runtime/own-code/index.js";
import { localsOf, noAppCode } from "../../support/apps/no-own-code.js";
import { type Client, client, hangUp } from "../../support/http/client.js";

/** Routes behind the real door, over HTTP, without a database: one token is known. */
export interface RouteServer {
  readonly url: string;
  readonly anonymous: Client;
  /** Has the token that is known. */
  readonly member: Client;
  /** What was logged as an error so far. */
  readonly errors: readonly unknown[];
  /** The sentences that were logged as information so far. */
  readonly remarks: readonly string[];
  close(): Promise<void>;
}

export interface RouteServerSetup {
  readonly routes?: readonly Route[];
  readonly appRouter?: Router;
  /** The lines of `service.yaml`. */
  readonly settings?: string;
  /** May put things into the app before the routes. */
  readonly prepare?: (app: Express) => void;
  readonly limits?: HttpParts["limits"];
  readonly watcher?: NonNullable<HttpParts["watcher"]>;
  readonly environment?: "development";
}

export const memberCaller: Caller = { accountId: "member", role: null, sessionId: null };

export async function startRoutes({
  routes = [],
  appRouter,
  settings = "",
  prepare,
  limits = {},
  watcher = {},
  environment,
}: RouteServerSetup): Promise<RouteServer> {
  const root = mkdtempSync(join(tmpdir(), "routes-"));
  writeFileSync(join(root, "service.yaml"), settings);
  const config = readConfig({
    root,
    environment: { SERVICE_SECRET: "s".repeat(32), NODE_ENV: environment },
    databaseUrl: "postgres://nobody@127.0.0.1:1/none",
  });
  rmSync(root, { recursive: true });
  const db = openDatabase({ url: config.database.url, poolSize: 1, prepare: true });
  const errors: unknown[] = [];
  const remarks: string[] = [];
  const quiet = () => {};
  const log = {
    debug: quiet,
    info: (remark: unknown) => {
      if (typeof remark === "string") remarks.push(remark);
    },
    warn: quiet,
    fatal: quiet,
    error: ({ err }: { err?: unknown }) => errors.push(err),
  };
  const parts = {
    services: {
      config,
      db,
      clock: systemClock,
      log,
      mailer: {
        send: async () => true,
        sendDecoy: async () => true,
        sendAppMessage: async () => {},
        start: quiet,
        close: async () => {},
      },
      policies: {},
      appCode: noAppCode,
      signFiles: (json: string) => json,
    },
    routes,
    gate: {
      identify: async ({ request }: { readonly request: IncomingMessage }) =>
        request.headers.authorization === "Bearer known" ? memberCaller : null,
      ask: async () => null,
    },
    appRouter: appRouter ?? null,
    localsOf,
    limits,
    watcher,
  };
  const outer = newOuterExpress(parts);
  prepare?.(outer.app());
  const server = newServer(outer, parts);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    anonymous: client(url, null),
    member: client(url, "known"),
    errors,
    remarks,
    close: async () => {
      hangUp(url);
      await closeServer(server);
      await db.close();
    },
  };
}
