import type { Answer } from "../../http/index.js";
import type { Credentials } from "../account/store.js";
import type { NoticeServices } from "../mailed/notice.js";
import { adopt } from "./adopt.js";
import { assure } from "./assurance.js";
import type { Device } from "./device.js";
import { type DoorServices, prove } from "./prove.js";

/**
 * Signs in somebody who has shown that they read the account's mail; the account must be locked. An
 * address that nobody had proved before is theirs from now on, and what was set up before goes. Where
 * an authenticator is asked for, nothing changes until it is passed.
 */
export async function signInByMail(
  services: DoorServices & NoticeServices,
  account: Credentials,
  { proof, device }: { readonly proof: "magic-link" | "email-code"; readonly device: Device },
): Promise<Answer | null> {
  if (account.disabled) return null;
  const { enrolled, emailVerified } = account;
  const settings = services.config.auth.twoFactor;
  const { kind } = assure({ proofs: [proof], enrolled, settings });
  const adopts = kind === "signed-in" && !emailVerified;
  const proved = adopts ? await adopt(services, account) : account;
  return prove(services, proved, { proofs: [proof], device });
}
