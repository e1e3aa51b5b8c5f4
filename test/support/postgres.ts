import { chmodSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { type Embedded, startEmbedded } from "../../runtime/db/index.js";
import { makeAppFolder, removeAppFolder } from "./app-folder.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Of a database that nobody changes, as a superuser: new ones are made from there. */
    readonly postgresUrl: string;
  }
}

let root: string;
let server: Embedded;

/** Vitest: one PostgreSQL for the whole run, fast because it may forget everything in a crash. */
export async function setup(project: TestProject): Promise<void> {
  root = makeAppFolder();
  // Open to pass through, so that the data of a run by root is in this folder too.
  chmodSync(root, 0o711);
  const settings = {
    max_connections: "300",
    // A thousand databases are made in a run, each copied from the template.
    shared_buffers: "512MB",
    fsync: "off",
    full_page_writes: "off",
    synchronous_commit: "off",
    wal_level: "minimal",
    max_wal_senders: "0",
    wal_init_zero: "off",
    max_wal_size: "2GB",
  };
  server = await startEmbedded({ root, settings });
  project.provide("postgresUrl", server.url);
}

/** Vitest: stops it and leaves nothing behind. */
export async function teardown(): Promise<void> {
  await server.stop();
  removeAppFolder(root);
}
