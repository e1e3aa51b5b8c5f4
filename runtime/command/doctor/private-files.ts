import type { Config } from "../../config/index.js";
import { countMisplaced, StorageError, withFileStores } from "../../uploads/index.js";
import { withConnection } from "../app/connection.js";
import { fileFields } from "../app/file-fields.js";
import { count, type Finding } from "../report.js";
import { ok, problem, warning } from "./finding.js";

const check = "private files";

/**
 * Checks whether strangers could read private files in the bucket, and whether all files are in the correct part of it;
 * no finding without private files.
 */
export async function checkPrivateFiles(root: string, config: Config): Promise<readonly Finding[]> {
  const fields = fileFields(root);
  const rest = await withConnection(config, (db) => countMisplaced(db, fields));
  const misplaced =
    rest === 0
      ? []
      : [
          warning(
            check,
            `${count(rest, "object")} not yet where they belong`,
            "start the server, which moves them, and see its log",
          ),
        ];
  if (!fields.some(({ isPrivate }) => isPrivate)) return misplaced;
  const exposed = await exposure(config);
  if (exposed !== null) return [exposed, ...misplaced];
  return rest > 0 ? misplaced : [ok(check, "they cannot be read without a signature or a token")];
}

async function exposure({ uploads }: Config): Promise<Finding | null> {
  try {
    const address = await withFileStores(uploads, ({ storage }) => storage.exposedAt());
    return address === null
      ? null
      : problem(
          check,
          `anyone can read them at ${address}`,
          "deny s3:GetObject below private/ to requests without credentials, in the bucket's policy",
        );
  } catch (error) {
    // Problems of the storage are reported as a separate finding.
    if (error instanceof StorageError) return null;
    throw error;
  }
}
