import { z } from "zod";
import type { Answer, Context, HandledRoute } from "../../../http/index.js";
import { address } from "../../account/input.js";
import { readBody, typedCode } from "../../input.js";
import { mailSecrets, requestShape } from "../../mailed/request.js";
import { useCode } from "../../mailed/use-code.js";
import { deviceName, deviceOf } from "../../session/device.js";
import { signInByMail } from "../../session/sign-in-by-mail.js";

export const verifyShape = z.strictObject({ email: address, code: typedCode, deviceName });

const purpose = "sign-in-code";

export const emailCodeRoutes: readonly HandledRoute[] = [
  { method: "POST", path: "/auth/email-code", access: "public", handle: sendCode },
  { method: "POST", path: "/auth/email-code/verify", access: "public", handle: signIn },
];

async function sendCode(context: Context): Promise<Answer> {
  const { email } = await readBody(context, requestShape);
  await mailSecrets(context.services, {
    purpose,
    email,
    compose: (addressee, { code, minutes }) => ({
      ...addressee,
      kind: "sign-in-code",
      code,
      minutes,
    }),
  });
  return { status: 204, json: null };
}

async function signIn(context: Context): Promise<Answer> {
  const { services } = context;
  const { email, code, deviceName } = await readBody(context, verifyShape);
  const device = deviceOf(context, deviceName);
  return useCode(services, { purpose, email, code }, (tx, account) =>
    signInByMail({ ...services, db: tx }, account, { proof: "email-code", device }),
  );
}
