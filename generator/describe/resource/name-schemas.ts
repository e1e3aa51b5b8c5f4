import type { Schema } from "../../kind/kind.js";
import { detailsKeys, kindOf } from "../../kind/kinds.js";
import type { Model, Resource } from "../../model/model.js";
import { sortedBy } from "../../model/sorted.js";
import type { DescribedNames } from "./names.js";

export function nameSchemas(
  resource: Resource,
  names: DescribedNames,
  { resources }: Model,
): Readonly<Record<string, Schema>> {
  const { fields, trash } = resource;
  const shown = [
    "id",
    ...fields.flatMap((field) => [field.name, ...detailsKeys(field)]),
    ...(trash === null ? [] : ["deletedAt", "deletedBy"]),
    "createdAt",
    "updatedAt",
  ];
  const cut = fields.filter((field) => kindOf(field).canBeCut);
  const whole: Schema = { type: "string", enum: shown };
  const beginning: Schema = {
    type: "string",
    pattern: `^(?:${cut.map(({ name }) => name).join("|")}):(?:[1-9][0-9]{0,4}|100000)$`,
  };
  return {
    [names.Sort]: {
      type: "array",
      minItems: 1,
      maxItems: 3,
      items: sortSchemaOf(resource, resources),
    },
    [names.Field]: {
      type: "array",
      minItems: 1,
      uniqueItems: true,
      items: cut.length === 0 ? whole : { anyOf: [whole, beginning] },
    },
  };
}

/** Maximum number of names of linked records that are listed individually; more become a pattern. */
const maxListed = 250;

function sortSchemaOf(resource: Resource, resources: Model["resources"]): Schema {
  const find = (name: string) => resources.find((one) => one.name === name) ?? null;
  const listed = (names: readonly string[]): Schema => ({
    type: "string",
    enum: names.flatMap((name) => [name, `-${name}`]),
  });
  const deleted = resource.trash === null ? [] : ["deletedAt"];
  const own = [...sortedBy(resource, find, 0), ...deleted];
  const all = [...sortedBy(resource, find), ...deleted];
  if (all.length - own.length <= maxListed) return listed(all);
  const links = resource.links.map(({ name }) => name).join("|");
  const linked: Schema = { type: "string", pattern: `^-?(?:${links})(?:\\.[A-Za-z0-9]+){1,2}$` };
  return { anyOf: [listed(own), linked] };
}
