import type { Model, Resource } from "../../model/model.js";
import { trashPath } from "../../schema/tables/trash-path.js";
import type { Layout } from "../../text/layout.js";
import { literal, object, property } from "../../text/typescript.js";
import { ruleLayout } from "./access.js";

/** Returns how long deleted records are kept, who may purge them, and the tables with a trash on which the access to them depends. */
export function trashProperty(
  resource: Resource,
  model: Model,
  names: ReadonlyMap<string, string>,
): readonly Layout[] {
  const { trash } = resource;
  if (trash === null) return [];
  const path = trashPath(resource, model).map(({ name }) => names.get(name) ?? name);
  return [
    property(
      "trash",
      object([
        property("days", literal(trash.days)),
        ...(trash.purge === null ? [] : [property("purge", ruleLayout(trash.purge))]),
        ...(path.length === 0 ? [] : [property("path", `() => ${print(path)}`)]),
      ]),
    ),
  ];
}

function print(names: readonly string[]): string {
  return `[${names.join(", ")}]`;
}
