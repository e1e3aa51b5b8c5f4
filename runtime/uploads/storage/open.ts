import type { Config } from "../../config/index.js";
import { openDisk } from "./disk.js";
import { openS3 } from "./s3.js";
import { openSpool, type Spool } from "./spool.js";
import type { Storage } from "./storage.js";

type Settings = Pick<Config["uploads"], "storage" | "maxBytes">;

/** Where files are kept, and where they wait that are worked on. */
export interface FileStores {
  readonly storage: Storage;
  readonly spool: Spool;
}

/** What is configured. Nothing is made, asked or loaded before its first use. */
export function openFileStores(settings: Settings): FileStores {
  const { storage, maxBytes } = settings;
  return {
    storage: storage.driver === "disk" ? openDisk(storage.path) : openS3(storage, { maxBytes }),
    spool: openSpool(settings),
  };
}

/** Does the work with what is configured, and ends the connections to the storage. */
export async function withFileStores<T>(
  settings: Settings,
  work: (places: FileStores) => Promise<T>,
): Promise<T> {
  const places = openFileStores(settings);
  try {
    return await work(places);
  } finally {
    await places.storage.close();
  }
}
