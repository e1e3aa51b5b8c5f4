import type { Field } from "../kind/kinds.js";
import type { Resource } from "../model/model.js";
import { propertyKey, stringLiteral } from "../text/typescript.js";
import { briefName, type Find, interfaceType, type Named, queryFields } from "./named.js";

export function whereType({ resource, names }: Named, find: Find): string {
  const { links, inverses } = resource;
  const whereOf = (name: string) => find(name)?.names.Where ?? "PersonWhere";
  return interfaceType(names.Where, [
    `and?: readonly ${names.Where}[];`,
    `or?: readonly ${names.Where}[];`,
    `not?: ${names.Where};`,
    "id?: IdCondition;",
    ...queryFields(resource).map((field) => {
      const key = ["and", "or", "not"].includes(field.name) ? `field:${field.name}` : field.name;
      return `${propertyKey(key)}?: ${conditionOf(field)};`;
    }),
    "createdAt?: TimeCondition;",
    "updatedAt?: TimeCondition;",
    ...links.map((link) => `${propertyKey(link.name)}?: ${whereOf(link.resource)};`),
    ...inverses.map(({ name, resource: other }) => {
      const where = whereOf(other);
      return `${propertyKey(name)}?: { some?: ${where}; none?: ${where} };`;
    }),
  ]);
}

function conditionOf(field: Field): string {
  switch (field.kind) {
    case "number":
      return "NumberCondition";
    case "boolean":
      return "BooleanCondition";
    case "enum":
      return `EnumCondition<${field.values.map(stringLiteral).join(" | ")}>`;
    case "date":
    case "timestamp":
      return "TimeCondition";
    case "string":
      return "TextCondition";
    default:
      return "IdCondition";
  }
}

export function nameTypes({ resource, names }: Named): readonly string[] {
  const { fields } = resource;
  const ordered = queryFields(resource).map(({ name }) => name);
  const sorted = ["id", ...ordered, "createdAt", "updatedAt"].map(stringLiteral).join(" | ");
  const cut = fields.filter(({ kind }) => kind === "string" || kind === "text");
  const beginnings = cut.map(({ name }) => `\`${name}:\${number}\``);
  return [
    `export type ${names.Field} = ${[`keyof ${names.Record}`, ...beginnings].join(" | ")};`,
    `type ${names.Key} = ${sorted};`,
    `export type ${names.Sort} = ${names.Key} | \`-\${${names.Key}}\`;`,
  ];
}

export function includeTypes({ resource, names }: Named, find: Find): readonly string[] {
  const { links, inverses } = resource;
  const options = [
    ...links.map(({ name, resource: other }) => {
      const field = find(other)?.names.Field ?? "keyof Person";
      return `${propertyKey(name)}?: true | { fields?: readonly (${field})[] };`;
    }),
    ...inverses.flatMap(({ name, resource: other }) => {
      const related = find(other)?.names;
      if (related === undefined) return [];
      const own = `fields?: readonly ${related.Field}[]; sort?: readonly ${related.Sort}[]; perPage?: number`;
      return [`${propertyKey(name)}?: true | { ${own} };`];
    }),
  ];
  const shown = [
    ...links.map(({ name, resource: other }) => {
      const related = find(other);
      const types = related === null ? "Person, Person" : bothOf(related);
      return `${propertyKey(name)}: Included<${types}, IncludeOptions[${stringLiteral(name)}]> | null;`;
    }),
    ...inverses.flatMap(({ name, resource: other }) => {
      const related = find(other);
      if (related === null) return [];
      const row = `Included<${bothOf(related)}, IncludeOptions[${stringLiteral(name)}]>`;
      return [`${propertyKey(name)}: Related<${row}>;`];
    }),
  ];
  const members = shown.map((line) => `  ${line}`).join("\n");
  const related =
    shown.length === 0
      ? `type ${names.Links}<IncludeOptions> = None & Pick<IncludeOptions, never>;`
      : `interface ${names.Links}<IncludeOptions extends ${names.Include}> {\n${members}\n}`;
  const own = `[FieldName] extends [never] ? ${names.Record} : Picked<${names.Record}, FieldName>`;
  const bound = shown.length === 0 ? "" : ` extends ${names.Include}`;
  return [
    interfaceType(names.Include, options),
    related,
    `/** A record with the fields and the related records that a query asks for. */
export type ${names.Shown}<FieldName, IncludeOptions${bound}> = [IncludeOptions] extends [never]
  ? ${own}
  : Flat<(${own}) & Pick<${names.Links}<IncludeOptions>, keyof IncludeOptions & keyof ${names.Links}<IncludeOptions>>>;`,
  ];
}

function bothOf(named: Named): string {
  return `${named.names.Record}, ${briefName(named)}`;
}

export function queryTypes({ resource, names }: Named): readonly string[] {
  const shown = `FieldName = ${names.Field}, IncludeOptions = ${names.Include}`;
  const parts = ["fields?: readonly FieldName[];", "include?: IncludeOptions;"];
  const narrowed = [`where?: ${names.Where};`, "q?: string;"];
  const counted = resource.fields.filter(({ kind }) => kind === "enum" || kind === "boolean");
  const numbers = namesOf(resource, ["number"]);
  const ordered = namesOf(resource, ["number", "date", "timestamp"], ["createdAt", "updatedAt"]);
  const plain = namesOf(resource, ["enum", "boolean", "belongsTo", "date"]);
  const days = namesOf(resource, ["date", "timestamp"], ["createdAt", "updatedAt"]);
  return [
    interfaceType(`${names.List}<${shown}>`, [
      ...narrowed,
      `sort?: readonly ${names.Sort}[];`,
      ...parts,
      "page?: number;",
      "perPage?: number;",
      "cursor?: string;",
    ]),
    interfaceType(`${names.Get}<${shown}>`, parts),
    interfaceType(`${names.Stats} extends StatsOptions`, [
      ...(counted.length === 0
        ? []
        : [`field?: ${counted.map(({ name }) => stringLiteral(name)).join(" | ")};`]),
      ...narrowed,
    ]),
    interfaceType(names.Aggregate, [
      ...narrowed,
      ...(numbers === ""
        ? []
        : [`sum?: readonly (${numbers})[];`, `avg?: readonly (${numbers})[];`]),
      `min?: readonly (${ordered})[];`,
      `max?: readonly (${ordered})[];`,
      `by?: readonly (${plain === "" ? "" : `${plain} | `}\`\${${days}}:\${"day" | "week" | "month" | "year"}\`)[];`,
      "sort?: string;",
      "perPage?: number;",
      "timezone?: string;",
    ]),
  ];
}

/** The names of fields of these kinds as a union; empty where there are none. */
function namesOf(
  { fields }: Resource,
  kinds: readonly Field["kind"][],
  more: readonly string[] = [],
): string {
  const named = fields.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name);
  return [...named, ...more].map(stringLiteral).join(" | ");
}
