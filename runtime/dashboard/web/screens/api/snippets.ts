import { clientName } from "../../../../values/api/client-name.js";
import type { Field, Resource } from "../../api/client/types.js";
import { readableFields } from "../../api/records/descriptors.js";
import type { Params } from "../../api/records/naming.js";
import { printParams } from "../../browser/address/list-address.js";
import { listedValues } from "../../browser/address/listed-values.js";

/** What the parameters of a list are called in a shell, where the address of the API and a token are. */
export function curlOf(path: string, params: Params): string {
  return [
    `curl -H "Authorization: Bearer $SERVICE_TOKEN" \\`,
    `  ${quoted(`"$API_URL"`, addressOf(path, params))}`,
  ].join("\n");
}

/** The path and the query, as the API takes them. */
export function addressOf(path: string, params: Params): string {
  return params.length === 0 ? path : `${path}?${printParams(params)}`;
}

/** Nothing in an address ends a quoted text of a shell: its signs are encoded, but for the one that ends it. */
function quoted(before: string, address: string): string {
  return `${before}'${address.replaceAll("'", "%27")}'`;
}

/** The call of the generated client that asks for the same. */
export function clientOf(resource: Resource, params: Params): string {
  const fields = readableFields(resource);
  const where: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  for (const [key, text] of params) {
    const found = /^filter\[([^[\]]+)\](?:\[([a-z]+)\])?$/.exec(key);
    if (found === null) {
      rest[key] = key === "sort" ? text.split(",") : /^\d+$/.test(text) ? Number(text) : text;
      continue;
    }
    const [, name = "", operator] = found;
    const field = fields.find((one) => one.name === name);
    // A field that is called as a joining word is written with a prefix.
    const place = ["and", "or", "not"].includes(name) ? `field:${name}` : name;
    const value = typedValue(field, text, operator);
    where[place] =
      operator === undefined ? value : { ...asObject(where[place]), [operator]: value };
  }
  const question = { ...(Object.keys(where).length === 0 ? {} : { where }), ...rest };
  return `const { data, meta } = await api.${clientName(resource.name)}.list(${literal(question)});`;
}

function asObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

function typedValue(field: Field | undefined, text: string, operator: string | undefined): unknown {
  const one = (value: string) => {
    if (value === "") return null;
    if (field?.type === "number") return Number(value);
    return field?.type === "boolean" ? value === "true" : value;
  };
  return operator === "in" || operator === "nin" ? (listedValues(text) ?? []).map(one) : one(text);
}

/** A value as it is written in TypeScript: names without quotes where they need none. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, "$1$2:")
    .replace(/([^\s[{,])$/gm, "$1,")
    .replace(/,$/, "")
    .replace(/\{\}$/, "{}");
}
