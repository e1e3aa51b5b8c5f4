import type { AppOptions } from "service-runtime/app";
import { client } from "../http/client.js";
import type { Rule } from "../rights/grants.js";
import type { RuledCaller } from "../rights/request.js";
import { anyTitle, ownAccount, type RuledApp, ruledRoles } from "./ruled-apps.js";

/** Of an app with custom sign-in. */
export const appSignIn = "auth: { enabled: false }\nserver: { host: 127.0.0.1 }\n";

interface Field {
  readonly resource?: string;
  readonly access?: object;
}

interface Described {
  readonly owner?: string | object;
  readonly access: { readonly [action: string]: Rule };
  readonly fields: { readonly [name: string]: Field };
}

/** The same app with accounts that are texts, where it had links to ours. */
export function withTextAccounts({ descriptors, policies }: RuledApp): RuledApp {
  const texts = [...(descriptors as ReadonlyMap<string, Described>)].map(([name, one]) => {
    const fields = Object.entries(one.fields).map(([field, about]) => {
      const { resource, access } = about;
      if (resource !== "users") return [field, about] as const;
      const text = { type: "string", required: true, maxLength: 60 };
      return [field, access === undefined ? text : { ...text, access }] as const;
    });
    const { owner } = one;
    const named = typeof owner === "object" ? { owner: { ...owner, account: "userId" } } : {};
    // Each record has an owner, and conditions compare with links to accounts of ours alone.
    const access = Object.entries(one.access).map(([action, rule]) => [action, ofTexts(rule)]);
    const changed = {
      ...named,
      access: Object.fromEntries(access),
      fields: Object.fromEntries(fields),
    };
    return [name, { ...one, ...changed }] as const;
  });
  return { descriptors: new Map(texts), policies };
}

function ofTexts(rule: Rule): Rule {
  if (typeof rule === "string") return rule;
  const entries = rule.map((entry) =>
    JSON.stringify(entry).replaceAll('"public"', '"signed-in"').replaceAll(ownAccount, anyTitle),
  );
  return [...new Set(entries)].map((entry) => JSON.parse(entry));
}

/** A token is the number of a role; what identifies the caller has what SQL and JSON have to escape. */
export const authenticate: NonNullable<AppOptions["authenticate"]> = async ({ headers }) => {
  const token = headers.authorization?.split(" ")[1];
  return token === undefined ? null : { ...callerAt(Number(token)), sessionId: null };
};

function callerAt(at: number) {
  return { accountId: `auth|${at} ü'"\\`, role: ruledRoles[at] ?? null };
}

/** A caller of each role. */
export function textCallers(url: string): readonly RuledCaller[] {
  return ruledRoles.map((role, at) => {
    return { client: client(url, String(at)), role, id: callerAt(at).accountId };
  });
}
