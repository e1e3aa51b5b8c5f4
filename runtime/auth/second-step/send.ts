import { refuse } from "../../errors/index.js";
import type { Answer, Context } from "../../http/index.js";
import { readBody } from "../input.js";
import { countMailOrRefuse } from "../mailed/limit.js";
import { replaceEmailCode } from "../session/challenge.js";
import { mailCode } from "./email/mail.js";
import { newEmailedCode } from "./email/rules.js";
import { sendShape } from "./input.js";
import { challengeScope, lockPending } from "./pending.js";

/** `POST /auth/two-factor/send`: emails a code that is valid for as long as its challenge. */
export async function send(context: Context): Promise<Answer> {
  const { services } = context;
  const body = await readBody(context, sendShape);
  await services.db.transaction(async (tx) => {
    const inside = { ...services, db: tx };
    const pending = await lockPending(inside, body.challenge);
    if (!pending.methods.includes("email")) {
      refuse("INVALID", {
        issues: [{ path: "challenge", message: "Cannot be completed by an emailed code" }],
      });
    }
    await countMailOrRefuse(inside, "second-step", pending.account.email);
    const emailCode = newEmailedCode(services.config, challengeScope(pending.challenge));
    await replaceEmailCode(tx, pending.challenge, emailCode.digest);
    const { expiresAt } = pending.challenge;
    const mail = { kind: "second-step-code", code: emailCode.code, expiresAt } as const;
    await mailCode(inside, pending.account, mail);
  });
  return { status: 204, json: null };
}
