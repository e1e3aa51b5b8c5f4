import type { Schema } from "../../kind/kind.js";
import type { Resource } from "../../model/model.js";
import { namesParameter } from "./parameters.js";

/** The search of a body. */
export function searchMember({ search }: Resource): Record<string, Schema> {
  return search === null ? {} : { search: { type: "string", maxLength: 200 } };
}

/** The fields whose words a list highlights. */
export function highlightMember({ search, fields }: Resource): Record<string, Schema> {
  const shown = fields.flatMap(({ name, kind }) => {
    const isShown = kind === "string" || kind === "text";
    return isShown && search?.fields.some((one) => one.name === name) ? [name] : [];
  });
  if (shown.length === 0) return {};
  return { highlight: { type: "array", items: { type: "string", enum: shown } } };
}

export function highlightParameters(resource: Resource): readonly Schema[] {
  return Object.entries(highlightMember(resource)).map(([name, schema]) =>
    namesParameter(name, schema),
  );
}
