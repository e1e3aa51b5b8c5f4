import { z } from "zod";
import type { Answer, Context, HandledRoute } from "../../../http/index.js";
import { addressShape } from "../../account/input.js";
import { codeText, readBody } from "../../input.js";
import { emailShape, requestMail } from "../../mailed/request.js";
import { useCode } from "../../mailed/use-code.js";
import { deviceNameShape, deviceOf } from "../../session/device.js";
import { signInByMail } from "../../session/sign-in-by-mail.js";

export const verifyShape = z.strictObject({
  email: addressShape,
  code: codeText,
  deviceName: deviceNameShape,
});

const purpose = "sign-in-code";

export const emailCodeRoutes: readonly HandledRoute[] = [
  { method: "POST", path: "/auth/email-code", access: "public", handle: sendCode },
  { method: "POST", path: "/auth/email-code/verify", access: "public", handle: signIn },
];

async function sendCode(context: Context): Promise<Answer> {
  const { email } = await readBody(context, emailShape);
  await requestMail(context.services, {
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
