import type { Answer, Context, HandledRoute } from "../../../http/index.js";
import { readBody } from "../../input.js";
import { linkTo } from "../../mailed/link.js";
import { requestMail } from "../../mailed/request.js";
import { useLink } from "../../mailed/use-link.js";
import { registering } from "../../session/by-mail/register.js";
import { signInByMail } from "../../session/by-mail/sign-in.js";
import { deviceOf } from "../../session/device.js";
import { registerShape, sendShape, verifyShape } from "./input.js";

const purpose = "sign-in-link";

export const magicLinkRoutes: readonly HandledRoute[] = [
  { method: "POST", path: "/auth/magic-link", access: "public", handle: sendLink },
  { method: "POST", path: "/auth/magic-link/verify", access: "public", handle: signIn },
];

async function sendLink(context: Context): Promise<Answer> {
  const { services } = context;
  const { email, redirectTo, site } = await readBody(context, sendShape(services.config));
  await requestMail(services, {
    purpose,
    email,
    registers: services.config.auth.registerByEmail,
    compose: (addressee, { token, minutes }) => {
      const query = { token, ...(redirectTo !== undefined && { redirectTo }) };
      const link = linkTo(site, "/sign-in/link", query);
      return link === null ? null : { ...addressee, kind: "sign-in-link", link, minutes };
    },
  });
  return { status: 204, json: null };
}

async function signIn(context: Context): Promise<Answer> {
  const { services } = context;
  const shape = services.config.auth.registerByEmail ? registerShape : verifyShape;
  const { token, deviceName, ...sent } = await readBody(context, shape);
  const device = deviceOf(context, deviceName);
  const register = registering(services, sent);
  return useLink(services, { purposes: [purpose], token, register }, (tx, account) =>
    signInByMail({ ...services, db: tx }, account, { proof: "magic-link", device }),
  );
}
