import type { Config } from "../../config/index.js";
import { StorageError, withFileStores } from "../../uploads/index.js";
import type { Finding } from "../report.js";
import { ok, problem } from "./finding.js";

/** Checks whether uploads can be stored by writing, reading and removing a small file. */
export async function checkStorage({ uploads }: Config): Promise<Finding> {
  try {
    await withFileStores(uploads, ({ storage }) => storage.check());
    return ok("storage", describeStorage(uploads.storage));
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return problem("storage", error.message, error.hint ?? fixes[uploads.storage.driver]);
  }
}

function describeStorage(storage: Config["uploads"]["storage"]): string {
  return storage.driver === "disk" ? storage.path : `s3, bucket ${storage.bucket}`;
}

const fixes = {
  disk: "check its permissions, or uploads.storage.path in service.yaml",
  s3: "check uploads.storage in service.yaml, and that the access key may get, put, delete and list objects",
} as const;
