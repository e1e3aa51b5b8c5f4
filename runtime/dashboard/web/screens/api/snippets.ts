import { clientName } from "../../../../values/api/client-name.js";
import type { Resource } from "../../api/client/types.js";
import type { Params } from "../../api/records/naming.js";
import { printParams } from "../../browser/address/list-address.js";
import { whereOf } from "../../kinds/filter/where.js";

/** A `curl` command for a list; shell variables hold the API's address and a token. */
export function curlOf(path: string, params: Params): string {
  return [
    `curl -H "Authorization: Bearer $SERVICE_TOKEN" \\`,
    `  ${quoted(`"$API_URL"`, addressOf(path, params))}`,
  ].join("\n");
}

/** The path and the query, as the API accepts them. */
export function addressOf(path: string, params: Params): string {
  return params.length === 0 ? path : `${path}?${printParams(params)}`;
}

/** Quotes an address for a shell. Encoding leaves only the quote itself as a character that could end a quoted word. */
function quoted(before: string, address: string): string {
  return `${before}'${address.replaceAll("'", "%27")}'`;
}

/** The same request with the generated client. */
export function clientOf(resource: Resource, params: Params): string {
  const { where, rest } = whereOf(resource, params);
  const others = rest.map(([key, text]) => [
    key,
    key === "sort" ? text.split(",") : /^\d+$/.test(text) ? Number(text) : text,
  ]);
  const query = {
    ...(Object.keys(where).length === 0 ? {} : { where }),
    ...Object.fromEntries(others),
  };
  return `const { data, meta } = await api.${clientName(resource.name)}.list(${literal(query)});`;
}

/** Formats a value as TypeScript; names are quoted only if necessary. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, "$1$2:")
    .replace(/([^\s[{,])$/gm, "$1,")
    .replace(/,$/, "")
    .replace(/\{\}$/, "{}");
}
