import { randomBytes } from "node:crypto";
import {
  chownSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../result/problem.js";

const file = ".service/secret";

/**
 * An app's development secret, created at the first start in `.service/secret` and readable only by the owner of the
 * app's folder. Throws a `ConfigError` if it is damaged, unreadable or cannot be stored.
 */
export function developmentSecret(root: string): Buffer {
  try {
    return readSecret(root) ?? makeSecret(root);
  } catch (error) {
    if (error instanceof Error && "code" in error) {
      throw unusable(`The development secret cannot be stored (${error.code})`);
    }
    throw error;
  }
}

function readSecret(root: string): Buffer | null {
  const text = readIfExists(join(root, file));
  if (text === null) return null;
  const secret = Buffer.from(text.trim(), "base64url");
  if (secret.length < 32) throw unusable("The development secret is damaged");
  return secret;
}

/** Creating a link is atomic: if several processes start concurrently, one succeeds, and all read the same secret. */
function makeSecret(root: string): Buffer {
  const path = join(root, file);
  const draft = `${path}.${randomBytes(8).toString("hex")}`;
  mkdirSync(join(root, ".service"), { recursive: true, mode: 0o700 });
  keepOwner(root, join(root, ".service"));
  writeFileSync(draft, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
  keepOwner(root, draft);
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(draft);
  }
  return readSecret(root) ?? makeSecret(root);
}

/** Makes the owner of the app's folder the owner of files that root creates in it. */
function keepOwner(root: string, path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(root);
  chownSync(path, uid, gid);
}

function readIfExists(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

function unusable(message: string): ConfigError {
  const hint = "delete the file and start again, or set SERVICE_SECRET";
  return new ConfigError([{ file, line: 1, column: 1, message, hint }]);
}
