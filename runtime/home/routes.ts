import { z } from "zod";
import { accept, isOperator, requireFreshSession } from "../auth/index.js";
import { foreignKeyViolation } from "../db/index.js";
import { refuse } from "../errors/index.js";
import {
  type Answer,
  type Context,
  type HandledRoute,
  Parameters,
  readJson,
  refuseUnauthenticated,
} from "../http/index.js";
import type { Caller } from "../own-code/index.js";
import { storedJsonIssues } from "../values/stored-json/rules.js";
import { type Block, findHome, storeBlocks } from "./store.js";

/** Maximum size of a stored list of blocks in bytes, without white space. */
const maxBlocksBytes = 32 * 1024;
/** Maximum size of a body in bytes. The longest list as JSON with every character escaped has 192 kB. */
const maxBodyBytes = 256 * 1024;

const block = z.custom<Block>(isObject, { error: "Must be an object" });
const blocks = z
  .array(block, { error: "Must be a list of blocks, or null" })
  .superRefine((list, { addIssue }) => {
    if (bytesOf(list) > maxBlocksBytes) {
      return addIssue({ code: "custom", message: `At most ${maxBlocksBytes} bytes` });
    }
    // Paths are not reported in full: they would repeat keys of the body, which can be of any length.
    for (const { path, message } of storedJsonIssues(list)) {
      addIssue({ code: "custom", path: path.slice(0, 1), message });
    }
  })
  .nullable();

const shape = z
  .strictObject({ own: blocks.optional(), shared: blocks.optional() })
  .refine(({ own, shared }) => (own === undefined) !== (shared === undefined), {
    error: "Must have either own or shared",
  });

const path = "/_service/home";

/** The routes of the dashboard's home page: each account stores its own blocks, and operators the shared ones. */
export const homeRoutes: readonly HandledRoute[] = [
  { method: "GET", path, access: "signed-in", handle: get },
  { method: "PUT", path, access: "signed-in", handle: replace },
];

async function get(context: Context): Promise<Answer> {
  new Parameters(context.query).finish();
  const home = await findHome(context.services.db, callerOf(context).accountId);
  return { status: 200, json: JSON.stringify(home) };
}

async function replace(context: Context): Promise<Answer> {
  const { accountId } = callerOf(context);
  const sent = await readJson(context, maxBodyBytes);
  // First, because only operators may see issues of shared blocks.
  if ("shared" in sent) await refuseSharing(context);
  const { own, shared } = accept(shape, sent);
  const home = await context.services.db
    .transaction(async (tx) => {
      if (own !== undefined) await storeBlocks(tx, accountId, own);
      if (shared !== undefined) await storeBlocks(tx, null, shared);
      return findHome(tx, accountId);
    })
    .catch((error: unknown) => {
      // The account was deleted after its token was checked.
      if (foreignKeyViolation(error) !== null) refuseUnauthenticated();
      throw error;
    });
  return { status: 200, json: JSON.stringify(home) };
}

/** Refuses (403) callers other than operators who signed in recently. */
async function refuseSharing(context: Context): Promise<void> {
  if (!isOperator(context.services.config, callerOf(context))) refuse("FORBIDDEN");
  await requireFreshSession(context);
}

function isObject(value: unknown): value is Block {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function bytesOf(list: readonly unknown[]): number {
  return Buffer.byteLength(JSON.stringify(list));
}

function callerOf({ caller }: Context): Caller {
  return caller ?? refuseUnauthenticated();
}
