import { z } from "zod";
import type { Answer, Context, HandledRoute } from "../../../http/index.js";
import { addressShape } from "../../account/input.js";
import { codeText, readBody } from "../../input.js";
import { emailShape, requestMail } from "../../mailed/request.js";
import { useCode } from "../../mailed/use-code.js";
import { newNameShape, registering } from "../../session/by-mail/register.js";
import { signInByMail } from "../../session/by-mail/sign-in.js";
import { deviceNameShape, deviceOf } from "../../session/device.js";

export const verifyShape = z.strictObject({
  email: addressShape,
  code: codeText,
  deviceName: deviceNameShape,
});

const registerShape = verifyShape.extend(newNameShape);

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
    registers: context.services.config.auth.registerByEmail,
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
  const shape = services.config.auth.registerByEmail ? registerShape : verifyShape;
  const { email, code, deviceName, ...sent } = await readBody(context, shape);
  const device = deviceOf(context, deviceName);
  const register = registering(services, sent);
  return useCode(services, { purpose, email, code, register }, (tx, account) =>
    signInByMail({ ...services, db: tx }, account, { proof: "email-code", device }),
  );
}
