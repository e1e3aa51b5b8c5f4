import type { Config } from "../config/index.js";
import { type Context, type HandledRoute, takesQuery } from "../http/index.js";
import { appRoutes } from "./apps/routes.js";
import { configRoute } from "./config-route.js";
import { emailChangeRoutes } from "./methods/email-change/routes.js";
import { emailCodeRoutes } from "./methods/email-code/routes.js";
import { emailVerificationRoutes } from "./methods/email-verification/routes.js";
import { magicLinkRoutes } from "./methods/magic-link/routes.js";
import { passkeyRoutes } from "./methods/passkey/routes.js";
import { passwordRoutes } from "./methods/password/routes.js";
import { passwordResetRoutes } from "./methods/password-reset/routes.js";
import { providerRoutes } from "./methods/provider/routes.js";
import { registerRoutes } from "./methods/register/routes.js";
import { ownAccountRoutes } from "./operator/own-account.js";
import { type AccountParts, noAccountRecords } from "./operator/records.js";
import { accountsRoutes } from "./operator/routes.js";
import { accountRoutes } from "./profile/routes.js";
import { emailedCodeRoutes, secondStepRoutes } from "./second-step/routes.js";
import { serviceTokenRoutes } from "./service-token/routes.js";
import { refuseApp, refuseServiceToken } from "./session/caller.js";
import { sessionRoutes } from "./session/routes.js";

/** Routes, and the settings that enable them. */
interface RouteGroup {
  readonly routes: readonly HandledRoute[];
  /** Enabled in every configuration if omitted. */
  isOn?(auth: Config["auth"]): boolean;
}

/** To add a sign-in method, add a line here. */
const groups: readonly RouteGroup[] = [
  { routes: [configRoute] },
  { routes: accountRoutes },
  { routes: sessionRoutes },
  { routes: serviceTokenRoutes },
  { routes: passwordRoutes },
  { routes: passkeyRoutes, isOn: ({ passkeys }) => passkeys },
  { routes: passwordResetRoutes },
  { routes: emailVerificationRoutes },
  { routes: emailChangeRoutes },
  { routes: emailCodeRoutes, isOn: ({ emailCode }) => emailCode },
  { routes: magicLinkRoutes, isOn: ({ magicLink }) => magicLink },
  { routes: providerRoutes, isOn: ({ providers }) => providers.length > 0 },
  { routes: appRoutes, isOn: ({ apps }) => apps !== null },
  { routes: registerRoutes, isOn: ({ registration }) => registration },
  {
    routes: secondStepRoutes,
    isOn: ({ twoFactor: { authenticator, email } }) => authenticator || email,
  },
  { routes: emailedCodeRoutes, isOn: ({ twoFactor }) => twoFactor.email },
];

const noParts: AccountParts = { records: noAccountRecords, onDeleted() {} };

/** Returns all enabled account routes; disabled ones do not exist (404). */
export function authRoutes(auth: Config["auth"], parts = noParts): readonly HandledRoute[] {
  const { operators, deleteOwnAccount } = auth;
  const ownRoutes = groups
    .filter(({ isOn }) => isOn?.(auth) ?? true)
    .flatMap(({ routes }) => routes)
    .concat(deleteOwnAccount ? ownAccountRoutes(parts) : []);
  return [
    ...ownRoutes.map(withoutServiceTokens),
    ...(operators.length > 0 ? withoutApps(auth, accountsRoutes(operators, parts)) : []),
  ];
}

/** The account routes besides `GET` that service tokens may call; all others are refused. */
const ofServiceTokens: readonly string[] = [
  "PATCH /auth/me",
  "DELETE /auth/token",
  // The route refuses to end another device or token.
  "DELETE /auth/sessions/:id",
];

/** Refuses operator routes to apps that an operator has connected. */
export function withoutApps(
  { apps }: Pick<Config["auth"], "apps">,
  routes: readonly HandledRoute[],
): readonly HandledRoute[] {
  if (apps === null) return routes;
  return routes.map((route) => {
    const { handle } = route;
    const guarded = async (context: Context) => {
      await refuseApp(context);
      return handle(context);
    };
    return { ...route, handle: handle.takesQuery === true ? takesQuery(guarded) : guarded };
  });
}

function withoutServiceTokens(route: HandledRoute): HandledRoute {
  const { method, path, access, handle } = route;
  if (access === "public" || method === "GET" || ofServiceTokens.includes(`${method} ${path}`)) {
    return route;
  }
  return {
    ...route,
    handle: async (context) => {
      await refuseServiceToken(context);
      return handle(context);
    },
  };
}
