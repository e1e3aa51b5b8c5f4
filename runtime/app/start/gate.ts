import type { Request } from "express";
import { sessionGate } from "../../auth/index.js";
import type { Config } from "../../config/index.js";
import { StartRefused } from "../../errors/index.js";
import type { Gate } from "../../http/index.js";
import type { Caller, ServerServices } from "../../own-code/index.js";
import { isUnicode } from "../../values/text.js";

/** Identifies the caller of a request; null for anonymous requests. */
export type Authenticate = (request: Request) => Promise<Caller | null>;

/** Creates the gate for the package's accounts, or for the app's own `authenticate`. */
export function gateOf(
  config: Config,
  authenticate: Authenticate | undefined,
): (services: ServerServices) => Gate {
  if (config.auth.enabled) return sessionGate;
  if (authenticate === undefined) {
    throw new StartRefused({
      message: "auth.enabled is false, but there is no other sign-in",
      hint: "pass your own `authenticate` to createApp in server.ts",
    });
  }
  return () => ({
    readsExpress: true,
    async identify({ request }) {
      const caller = await authenticate(request as Request);
      return caller === null || !isKept(caller) ? null : caller;
    },
  });
}

/**
 * Whether the id and the role can be stored. PostgreSQL cannot store a NUL character, and an unpaired surrogate would
 * be replaced: the result could be the id of another account.
 */
function isKept({ accountId, role }: Caller): boolean {
  return isUnicode(accountId) && (role === null || isUnicode(role));
}
