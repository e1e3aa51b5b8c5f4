import type { Plan } from "../../db/index.js";
import type { Caller } from "../../own-code/index.js";
import type { Answer, CallersRead, Context, PlannedRead, Row } from "./route.js";
import { runRead } from "./run-read.js";

/** A request whose caller is being looked up, with its services. */
export type GateCall = Pick<Context, "request" | "services">;

/** Identifies the caller of a request; null without a valid token. */
export interface Gate {
  identify(call: GateCall): Promise<Caller | null>;
  /**
   * Runs a plan together with the lookup of the caller, unless the plan is slow. Returns null, and runs nothing, if
   * there is no caller. Omitted if callers are not in the database.
   */
  ask?(call: GateCall, plan: Plan): Promise<ReadResult | null>;
  /**
   * Returns the current roles of the callers whose tokens are still valid. Omitted if callers are not in the database.
   */
  rolesOf?(callers: readonly Caller[]): Promise<ReadonlyMap<Caller, string | null>>;
  /** Stores pending data of past requests within `ms` milliseconds. */
  finish?(ms: number): Promise<void>;
  /** Whether the gate needs Express's requests instead of Node's. */
  readonly readsExpress?: boolean;
}

export interface ReadResult {
  readonly caller: Caller;
  /** Null if the read takes long, so that the caller must be admitted first. */
  readonly row: Row | null;
}

/** Runs a read for the caller of the context, and returns the response. */
export async function answerRead(
  planned: PlannedRead | CallersRead,
  context: Context,
): Promise<Answer> {
  const prepared = "prepare" in planned ? await planned.prepare(context) : planned;
  return prepared.answer(await runRead(context.services.db, prepared), context);
}
