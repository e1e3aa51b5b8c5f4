import type { Context } from "../../../http/index.js";
import { requireCaller } from "../caller.js";
import { insufficientScope } from "./challenge.js";
import { findAppLimits } from "./store.js";

/** Refuses a write by an app that may only read (403), for routes whose path does not show whether it is a write. */
export async function refuseWriteOfReader(context: Context): Promise<void> {
  const { db, config } = context.services;
  if (config.auth.apps === null) return;
  const limits = await findAppLimits(db, requireCaller(context).sessionId);
  if (limits?.scope === "read") throw insufficientScope(config, limits);
}
