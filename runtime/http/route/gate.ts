import type { Plan } from "../../db/index.js";
import type { Caller } from "../../own-code/index.js";
import type { Answer, CallersRead, Context, PlannedRead, Row } from "./route.js";
import { runRead } from "./run-read.js";

/** A request whose caller is looked up, with the services for it. */
export type Asked = Pick<Context, "request" | "services">;

/** Identifies the caller of a request; null without a valid token. */
export interface Gate {
  identify(asked: Asked): Promise<Caller | null>;
  /**
   * Runs a plan in the name of the caller, unless it takes long; null, and nothing is run, without a caller. Left out where
   * callers are not looked up in the database.
   */
  ask?(asked: Asked, plan: Plan): Promise<ReadResult | null>;
  /**
   * The present roles of those of these callers whose tokens are still valid. Left out where callers are not looked up in
   * the database.
   */
  rolesOf?(callers: readonly Caller[]): Promise<ReadonlyMap<Caller, string | null>>;
  /** Stores what requests have left to be stored, for at most that many milliseconds. */
  finish?(ms: number): Promise<void>;
  /** True when it needs Express's requests, not just Node's. */
  readonly readsExpress?: boolean;
}

export interface ReadResult {
  readonly caller: Caller;
  /** Null if it takes long, so that the caller is to be admitted first. */
  readonly row: Row | null;
}

/** Runs a read for the caller of the context, and answers it. */
export async function answerRead(
  planned: PlannedRead | CallersRead,
  context: Context,
): Promise<Answer> {
  const prepared = "prepare" in planned ? await planned.prepare(context) : planned;
  return prepared.answer(await runRead(context.services.db, prepared), context);
}
