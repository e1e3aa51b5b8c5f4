import type { SettingsDocument } from "../file/document.js";
import type { ProviderSettings } from "../result/provider.js";
import type { Settings } from "../shape/shape.js";

type Auth = Settings["auth"];
type Written = Auth["providers"];
type Known = "google" | "apple" | "github" | "microsoft";
type Shared = Pick<
  NonNullable<Written["google"]>,
  | "client_id"
  | "client_ids"
  | "register"
  | "domains"
  | "second_step"
  | "email_claim"
  | "session_hours"
  | "roles"
  | "roles_required"
  | "issuer"
>;

/**
 * Returns the providers with their defaults. The providers, and the values of their claims, are in the order of the
 * file, which is significant.
 */
export function providersOf(
  auth: Auth,
  keysAt: SettingsDocument["keysAt"],
): readonly ProviderSettings[] {
  const path = ["auth", "providers"];
  return keysAt(path).flatMap((name) => {
    const found = providerOf(name, auth);
    if (found === null) return [];
    const values = keysAt([...path, name, "roles", "map"]);
    return [{ ...found, roles: rolesOf(auth.providers[name], values) }];
  });
}

function rolesOf(
  written: Pick<Shared, "roles" | "roles_required"> | undefined,
  values: readonly string[],
): ProviderSettings["roles"] {
  if (written?.roles === undefined) return null;
  const { claim, map } = written.roles;
  const pairs = values.flatMap((value): [string, string][] => {
    const role = map[value];
    return role === undefined ? [] : [[value, role]];
  });
  return { claim, required: written.roles_required, map: pairs };
}

function providerOf(name: string, auth: Auth): Omit<ProviderSettings, "roles"> | null {
  if (isKnown(name)) return knownOf(name, auth);
  const written = auth.providers[name];
  if (written === undefined || !("scope" in written)) return null;
  const { client_secret: secret, scope, title = name } = written;
  return {
    ...sharedOf(name, written, auth),
    kind: "own",
    title,
    secret: { kind: "shared", secret },
    scope,
  };
}

function isKnown(name: string): name is Known {
  return Object.hasOwn(titles, name);
}

const titles: Readonly<Record<Known, string>> = {
  google: "Google",
  apple: "Apple",
  github: "GitHub",
  microsoft: "Microsoft",
};

/** The scopes requested from known providers: identity, address and name. */
const scopes: Readonly<Record<Known, string>> = {
  google: "openid email profile",
  apple: "openid email name",
  github: "read:user user:email",
  microsoft: "openid email profile",
};

function knownOf(kind: Known, auth: Auth): Omit<ProviderSettings, "roles"> | null {
  const { providers } = auth;
  const written = providers[kind];
  if (written === undefined) return null;
  const found = {
    ...sharedOf(kind, written, auth),
    kind,
    title: titles[kind],
    scope: scopes[kind],
  };
  if (!("private_key" in written)) {
    const tenancy =
      "tenant" in written ? { tenant: written.tenant, trustEmail: written.trust_email } : {};
    return { ...found, ...tenancy, secret: { kind: "shared", secret: written.client_secret } };
  }
  const { team_id: teamId, key_id: keyId, private_key: privateKey } = written;
  return { ...found, secret: { kind: "key", teamId, keyId, privateKey } };
}

function sharedOf(name: string, written: Shared, { registration }: Auth) {
  const { client_id: clientId, client_ids, register, domains, second_step } = written;
  return {
    name,
    issuer: written.issuer,
    clientId,
    audiences: [clientId, ...client_ids],
    register: register ?? registration,
    domains,
    secondStep: second_step,
    emailClaim: written.email_claim,
    sessionHours: written.session_hours ?? null,
    tenant: null,
    trustEmail: false,
  };
}
