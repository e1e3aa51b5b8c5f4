import { randomBytes } from "node:crypto";
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { z } from "zod";
import { type Account, canKeepDataIn, makeTraversable, serverAccount } from "./account.js";
import { EmbeddedError } from "./error.js";
import { freePort } from "./port.js";

/** The location of an app's embedded database and the address of its server. */
export interface ClusterConfig {
  /** Absolute path of the data directory. */
  readonly data: string;
  /** Path of PostgreSQL's log. */
  readonly log: string;
  readonly copies: string;
  readonly account: Account;
  readonly password: string;
  /** The preferred port; if it is taken, the next free one is used. */
  readonly port: number;
}

const savedConfig = z.object({
  id: z.string(),
  password: z.string(),
  port: z.int(),
  /** The app's folder at the time of writing. */
  root: z.string(),
  /** Relative to the app's folder, which may move; absolute if it is outside that folder. */
  data: z.string(),
});
type SavedConfig = z.infer<typeof savedConfig>;

/** The only address that the embedded server listens on. */
export const serverHost = "127.0.0.1";

/** Folder for servers started by root whose account cannot reach the app's folder. */
const shared = "/var/lib/service";

/** Reads the app's `.service/database.json`; the first start chooses the location of the data and writes the file. */
export async function ensureConfig(app: string): Promise<ClusterConfig> {
  const root = realpathSync(app);
  const state = join(root, ".service");
  makeState(root, state);
  const file = join(state, "database.json");
  if (existsSync(file) && isCopied(readRecord(file), file)) rmSync(file);
  if (!existsSync(file)) await writeRecord(file, root);
  const { password, port, data: recorded } = readRecord(file);
  const data = resolve(root, recorded);
  const account = serverAccount(data, root);
  // The account only traverses this folder to reach its data; it cannot list or read anything else here.
  chmodSync(state, account !== null && dirname(data) === state ? 0o711 : 0o700);
  makeTraversable(dirname(data));
  const log = join(state, "postgres.log");
  writeFileSync(log, "", { flag: "a", mode: 0o600 });
  keepOwner(root, log);
  return { data, log, copies: account === null ? state : shared, account, password, port };
}

function makeState(root: string, state: string): void {
  try {
    mkdirSync(state, { recursive: true, mode: 0o700 });
    accessSync(state, constants.R_OK | constants.W_OK | constants.X_OK);
    keepOwner(root, state);
  } catch (error) {
    throw new EmbeddedError(
      `${state} cannot be used for the embedded database: ${error}`,
      "run the command as the owner of that folder, or set DATABASE_URL",
    );
  }
}

async function writeRecord(file: string, root: string): Promise<void> {
  const id = randomBytes(6).toString("hex");
  const content: SavedConfig = {
    id,
    password: randomBytes(24).toString("base64url"),
    port: await freePort(serverHost),
    root,
    data: dataFor(root, id),
  };
  const draft = `${file}.${id}`;
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  keepOwner(root, draft);
  try {
    // Unlike a rename, a link never replaces the file of a command that was faster.
    linkSync(draft, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(draft);
  }
}

function dataFor(root: string, id: string): string {
  const state = join(root, ".service");
  const here = join(state, "postgres");
  const account = serverAccount(here, root);
  if (account === null) return join(".service", "postgres");
  chmodSync(state, 0o711);
  return canKeepDataIn(state, account) ? join(".service", "postgres") : join(shared, id);
}

/**
 * Whether the file was copied with the app's folder while its data, stored outside the folder, was not. In that case
 * the original app still exists. A folder that was only moved keeps its data.
 */
function isCopied({ id, root, data }: SavedConfig, file: string): boolean {
  const original = join(root, ".service", "database.json");
  if (!isAbsolute(data) || !existsSync(original)) return false;
  return statSync(original).ino !== statSync(file).ino && readRecord(original).id === id;
}

function readRecord(file: string): SavedConfig {
  try {
    return savedConfig.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    throw new EmbeddedError(
      `${file} cannot be read: ${error instanceof z.ZodError ? z.prettifyError(error) : error}`,
      "it holds the password of the embedded database: restore it, or remove .service/ to start with an empty one",
    );
  }
}

/** Makes the folder's owner the owner of files that root creates, so that the owner can still use them. */
function keepOwner(root: string, path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(root);
  chownSync(path, uid, gid);
}
