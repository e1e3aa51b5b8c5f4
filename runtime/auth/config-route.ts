import type { Answer, Context, HandledRoute } from "../http/index.js";
import { passwordMinLength } from "./password/rules.js";

/** `GET /auth/config`: the enabled sign-in methods. */
export const configRoute: HandledRoute = {
  method: "GET",
  path: "/auth/config",
  access: "public",
  handle: readSwitches,
};

async function readSwitches({ services }: Context): Promise<Answer> {
  const {
    registration,
    magicLink,
    emailCode,
    passkeys,
    twoFactor,
    requireEmailVerification,
    providers,
    deleteOwnAccount,
    registerByEmail,
  } = services.config.auth;
  const body = {
    registration,
    password: true,
    magicLink,
    emailCode,
    passkeys,
    twoFactor: { authenticator: twoFactor.authenticator, email: twoFactor.email },
    requireEmailVerification,
    passwordMinLength,
    ...(deleteOwnAccount && { deleteOwnAccount }),
    ...(registerByEmail && { registerByEmail }),
    ...(providers.length > 0 && {
      providers: providers.map(({ name, title }) => ({ name, title })),
    }),
  };
  return { status: 200, json: JSON.stringify(body) };
}
