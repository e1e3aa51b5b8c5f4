import { hash } from "node:crypto";
import { createRequire } from "node:module";
import { z } from "zod";
import { historyRule } from "../../changes/at-start.js";
import { type Answer, type Context, isAllowed, type Route } from "../../http/index.js";
import type { Caller, ResourcePolicies, Services } from "../../own-code/index.js";
import {
  type Action,
  columnOf,
  fieldRights,
  isForOwnedOnly,
  isForSome,
  purgeRule,
  type ResourceDefinition,
} from "../../resource/index.js";
import type { Rule } from "../../values/access-rule.js";

const manifest: unknown = createRequire(import.meta.url)("service-runtime/package.json");
export const { version } = z.object({ version: z.string() }).parse(manifest);

/**
 * `GET /_service/ping` and `GET /_service/resources`. Properties of `given` that are not null are features for
 * operators.
 */
export function systemRoutes(
  resources: readonly object[],
  definitions: readonly ResourceDefinition[],
  given: Readonly<Record<string, object | null>>,
): readonly Route[] {
  const parts = Object.keys(given).filter((name) => given[name] !== null);
  const byName = new Map(definitions.map((one) => [one.table.resource, one]));
  const described = resources.map((resource) => describedResource.parse(resource));

  function describe({ caller, services }: Context): Answer {
    const data = described.map(({ fields, ...resource }) => {
      const definition = byName.get(resource.name);
      if (caller === null || definition === undefined) return { ...resource, fields };
      const { table, access } = definition;
      return {
        ...resource,
        fields: fields.map((field) => ({
          ...field,
          ...linkOf(field.name, table, (to, action) =>
            mayInclude(caller, to, { action, services }),
          ),
          ...fieldRights(table, field.name, caller),
        })),
        can: {
          ...permissions(caller, access, policiesOf(services, resource.name)),
          ...historyPermission(caller, definition),
          ...(table.trash !== undefined && { purge: permission(caller, purgeRule(table)) }),
        },
      };
    });
    // Announced according to the draft for resumable uploads (draft-ietf-httpbis-resumable-upload), so that forms can
    // check a size before they upload.
    const { maxBytes, resumable } = services.config.uploads;
    const headers = {
      "upload-limit": `max-size=${maxBytes}`,
      ...(resumable !== null && { "tus-max-size": String(resumable.maxBytes) }),
    };
    // Prevents the dashboard from showing pages for missing features.
    const isShown =
      parts.length > 0 && caller !== null && isAllowed(caller, services.config.auth.operators);
    const seen = isShown ? { "service-parts": parts.join(", ") } : {};
    return { status: 200, headers: { ...headers, ...seen }, json: JSON.stringify({ data }) };
  }

  return [
    {
      method: "GET",
      path: "/_service/ping",
      access: "public",
      handle: async ({ services, request }) => {
        // Not queued behind other statements: a health check matters most under load.
        const [row] = await services.db.read<{ id: string }>({
          text: "select id from service.installation",
          values: [],
          cost: "key",
        });
        const json = JSON.stringify({ service: version, app: row?.id ?? "" });
        return request.headers["service-doctor"] === undefined
          ? { status: 200, json }
          : probe(json);
      },
    },
    {
      method: "GET",
      path: "/_service/resources",
      access: "signed-in",
      handle: async (context) => describe(context),
    },
  ];
}

/** Returns a response for `doctor` with an `etag`, long enough for any proxy to compress it. */
function probe(json: string): Answer {
  const headers = { etag: `"${hash("sha256", json, "hex").slice(0, 32)}"`, "service-doctor": "1" };
  return { status: 200, json: json + " ".repeat(16_384), headers };
}

const describedResource = z.looseObject({
  name: z.string(),
  fields: z.array(z.looseObject({ name: z.string() })),
});

type Links = NonNullable<ResourceDefinition["table"]["links"]>;

/** Returns the name for including a field's linked record or records; undefined if the caller may not read them. */
function linkOf(
  name: string,
  { links = {}, columns }: ResourceDefinition["table"],
  isOpen: (link: Links[string], action: "get" | "list") => boolean,
): { readonly link?: string; readonly links?: string } {
  const found = Object.entries(links).find(([, { field }]) => field === name);
  if (found === undefined) return {};
  const isList = columnOf({ columns }, name)?.entries !== undefined;
  if (!isOpen(found[1], isList ? "list" : "get")) return {};
  return isList ? { links: found[0] } : { link: found[0] };
}

/** Whether a query may include the records. A policy for single records cannot decide about included ones. */
function mayInclude(
  caller: Caller,
  { table }: Links[string],
  { action, services }: { readonly action: "get" | "list"; readonly services: Services },
): boolean {
  if (table === undefined) return isAllowed(caller, services.config.auth.profiles);
  const { access, resource } = table();
  return isAllowed(caller, access[action]) && policiesOf(services, resource)[action] === undefined;
}

function policiesOf({ policies }: Services, name: string): ResourcePolicies<never> {
  return (Object.hasOwn(policies, name) ? policies[name] : undefined) ?? {};
}

/**
 * The caller's permission for an action on records of a resource. `maybe` if a policy decides, `some` if conditions on
 * the record do, `own` for the caller's own records only.
 */
type Permission = boolean | "maybe" | "some" | "own";

/** Returns the caller's permission according to the rule alone. */
function permission(caller: Caller, rule: Rule): Permission {
  if (!isAllowed(caller, rule)) return false;
  if (isForSome(rule, caller.role)) return "some";
  return isForOwnedOnly(rule, caller.role) ? "own" : true;
}

/** Whether the caller may read histories; empty if there are none. */
function historyPermission(
  caller: Caller,
  definition: ResourceDefinition,
): { readonly history?: Permission } {
  if (definition.table.changes?.history == null) return {};
  return { history: permission(caller, historyRule(definition)) };
}

function permissions(
  caller: Caller,
  access: ResourceDefinition["access"],
  policies: ResourcePolicies<never>,
): Readonly<Record<Action, Permission>> {
  const may = (action: Action): Permission => {
    const byRule = permission(caller, access[action]);
    return byRule !== false && policies[action] !== undefined ? "maybe" : byRule;
  };
  return {
    list: may("list"),
    get: may("get"),
    stats: may("stats"),
    create: may("create"),
    update: may("update"),
    delete: may("delete"),
  };
}
