import type { Config } from "../../config/index.js";
import { openDisk } from "./disk.js";
import { openS3 } from "./s3.js";
import { openSpool, type Spool } from "./spool.js";
import type { Storage } from "./storage.js";

type Settings = Pick<Config["uploads"], "storage" | "maxBytes">;

/** The storage, and the spool for files that are being processed. */
export interface FileStores {
  readonly storage: Storage;
  readonly spool: Spool;
}

/** Opens the configured storage and spool. Does not create, contact or load anything until first use. */
export function openFileStores(settings: Settings): FileStores {
  const { storage, maxBytes } = settings;
  return {
    storage: storage.driver === "disk" ? openDisk(storage.path) : openS3(storage, { maxBytes }),
    spool: openSpool(settings),
  };
}

/** Runs the work with the configured storage and spool, then closes the connections to the storage. */
export async function withFileStores<T>(
  settings: Settings,
  work: (stores: FileStores) => Promise<T>,
): Promise<T> {
  const stores = openFileStores(settings);
  try {
    return await work(stores);
  } finally {
    await stores.storage.close();
  }
}
