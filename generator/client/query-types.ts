import type { Aggregation } from "../../runtime/values/aggregations.js";
import { type Field, isAggregated, kindOf } from "../kind/kinds.js";
import { accountGrouped, ownGrouped, timesOf } from "../model/grouped.js";
import type { Resource } from "../model/model.js";
import { accountSorted, sortedBy } from "../model/sorted.js";
import { propertyKey, stringLiteral } from "../text/typescript.js";
import {
  briefName,
  type Find,
  interfaceType,
  type Named,
  queryFields,
  valueType,
} from "./named.js";

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
  const { type = "", shared = null } = kindOf(field).condition ?? {};
  return shared === null ? `${type}<${valueType(field)}>` : type;
}

export function nameTypes(named: Named, find: Find): readonly string[] {
  const { resource, names } = named;
  const { fields } = resource;
  const ordered = queryFields(resource).map(({ name }) => name);
  const sorted = ["id", ...ordered, "createdAt", "updatedAt"].map(stringLiteral).join(" | ");
  const cut = fields.filter((field) => kindOf(field).canBeCut);
  const beginnings = cut.map(({ name }) => `\`${name}:\${number}\``);
  return [
    `export type ${names.Field} = ${[`keyof ${names.Record}`, ...beginnings].join(" | ")};`,
    `type ${names.Key} = ${sorted};`,
    `export type ${names.Sort} = \`\${"" | "-"}\${${sortKeys(named, find)}}\`;`,
  ];
}

/** The most names of which a type is made: the compiler joins each of them with a dash. */
const maxNamed = 5_000;

/** `OrderKey | \`customer.${CustomerKey}\``: the names by which lists are sorted. */
function sortKeys({ resource, names }: Named, find: Find): string {
  const all = sortedBy(resource, (name) => find(name)?.resource ?? null);
  const last = all.length > maxNamed ? () => "string" : (target: Named) => target.names.Key;
  const behind = ({ links }: Resource, keysOf: (target: Named) => string) =>
    links.map(({ name, resource: to }) => {
      const target = find(to);
      const keys = target === null ? unionOf(accountSorted) : keysOf(target);
      return `\`${name}.\${${keys}}\``;
    });
  const linked = behind(resource, (target) =>
    [target.names.Key, ...behind(target.resource, last)].join(" | "),
  );
  return [names.Key, ...linked].join(" | ");
}

export function includeTypes({ resource, names }: Named, find: Find): readonly string[] {
  const related = relationsOf(resource, find);
  const options = related.map(({ name, target, isInverse }) => {
    const own = isInverse ? inverseOptions(target) : linkOptions(target);
    return `${propertyKey(name)}?: true | { ${own} };`;
  });
  const shown = related.map(({ name, target, isInverse }) => {
    const asked = `IncludeOptions[${stringLiteral(name)}]`;
    const row = target === null ? `Included<Person, Person, ${asked}>` : inside(target, asked);
    return `${propertyKey(name)}: ${isInverse ? `RelatedBy<${row}, ${asked}>` : `${row} | null`};`;
  });
  const members = shown.map((line) => `  ${line}`).join("\n");
  const links =
    shown.length === 0
      ? `type ${names.Links}<IncludeOptions> = None & Pick<IncludeOptions, never>;`
      : `interface ${names.Links}<IncludeOptions extends ${names.Include}> {\n${members}\n}`;
  const own = `[FieldName] extends [never] ? ${names.Record} : Picked<${names.Record}, FieldName>`;
  const bound = shown.length === 0 ? "" : ` extends ${names.Include}`;
  return [
    interfaceType(names.Include, options),
    links,
    `/** A record with the fields and the related records that a query asks for. */
export type ${names.Shown}<FieldName, IncludeOptions${bound}> = [IncludeOptions] extends [never]
  ? ${own}
  : Flat<(${own}) & Pick<${names.Links}<IncludeOptions>, keyof IncludeOptions & keyof ${names.Links}<IncludeOptions>>>;`,
  ];
}

interface RelationType {
  readonly name: string;
  /** Null for accounts. */
  readonly target: Named | null;
  readonly isInverse: boolean;
}

function relationsOf({ links, inverses }: Resource, find: Find): readonly RelationType[] {
  return [
    ...links.map(({ name, resource }) => ({ name, target: find(resource), isInverse: false })),
    ...inverses.map(({ name, resource }) => ({ name, target: find(resource), isInverse: true })),
  ];
}

function linkOptions(target: Named | null): string {
  if (target === null) return "fields?: readonly (keyof Person)[]";
  return [`fields?: readonly (${target.names.Field})[]`, ...insideOption(target)].join("; ");
}

function inverseOptions(target: Named | null): string {
  if (target === null) return "";
  const { resource, names } = target;
  const inverses = resource.inverses.map(({ name }) => stringLiteral(name)).join(" | ");
  const where = inverses === "" ? names.Where : `Omit<${names.Where}, ${inverses}>`;
  return [
    `fields?: readonly ${names.Field}[]`,
    `sort?: readonly ${names.Sort}[]`,
    "perPage?: number",
    `where?: ${where}`,
    "count?: boolean",
    ...insideOption(target),
  ].join("; ");
}

/** Only a resource with links or inverses includes something. */
function insideOption({ resource, names }: Named): readonly string[] {
  return hasRelations(resource) ? [`include?: ${names.Include}`] : [];
}

function hasRelations({ links, inverses }: Resource): boolean {
  return links.length + inverses.length > 0;
}

/** A record inside another, with what is included in it. */
function inside(target: Named, asked: string): string {
  const { resource, names } = target;
  const row = `Included<${names.Record}, ${briefName(target)}, ${asked}>`;
  if (!hasRelations(resource)) return row;
  return `Within<${row}, ${asked} extends { include: infer Inside extends ${names.Include} } ? Pick<${names.Links}<Inside>, keyof Inside & keyof ${names.Links}<Inside>> : unknown>`;
}

export function queryTypes(named: Named, find: Find): readonly string[] {
  const { resource, names } = named;
  const shown = `FieldName = ${names.Field}, IncludeOptions = ${names.Include}`;
  const parts = ["fields?: readonly FieldName[];", "include?: IncludeOptions;"];
  const narrowed = [`where?: ${names.Where};`, "q?: string;"];
  const counted = resource.fields.filter((field) => kindOf(field).counted(field).length > 0);
  return [
    interfaceType(`${names.List}<${shown}>`, [
      ...narrowed,
      `sort?: readonly ${names.Sort}[];`,
      ...parts,
      "page?: number;",
      "perPage?: number;",
      "cursor?: string;",
      ...(resource.changes === null
        ? []
        : ["/** The page has the position of its changes. */", "position?: boolean;"]),
    ]),
    interfaceType(`${names.Get}<${shown}>`, parts),
    interfaceType(`${names.Stats} extends StatsOptions`, [
      ...(counted.length === 0 ? [] : [`field?: ${unionOf(counted.map(({ name }) => name))};`]),
      `at?: ${unionOf(timesOf(resource.fields))};`,
      ...narrowed,
    ]),
    ...aggregateTypes(named, find),
  ];
}

function aggregateTypes({ resource, names }: Named, find: Find): readonly string[] {
  const { fields, links } = resource;
  const own = ownGrouped(resource);
  const further = links.map(({ name, resource: to }) => {
    const target = find(to);
    return { name, ...(target === null ? accountGrouped : ownGrouped(target.resource)) };
  });
  const behind = (key: "values" | "times") =>
    further
      .filter((link) => link[key].length > 0)
      .map(({ name, [key]: [first = "", ...more] }) =>
        more.length === 0
          ? stringLiteral(`${name}.${first}`)
          : `\`${name}.\${${unionOf([first, ...more])}}\``,
      );
  const values = [...own.values.map(stringLiteral), ...behind("values")];
  const times = [...own.times.map(stringLiteral), ...behind("times")];
  const named = (as: Aggregation) =>
    fields.filter((field) => isAggregated(field, as)).map(({ name }) => name);
  const totals = unionOf(named("total"));
  const extremes = unionOf([...named("extreme"), "createdAt", "updatedAt"]);
  const include = groupInclude({ resource, names });
  const hasValues = values.length > 0;
  return [
    ...(hasValues ? [`export type ${names.GroupField} = ${values.join(" | ")};`] : []),
    `export type ${names.Group} = ${hasValues ? `${names.GroupField} | ` : ""}\`\${${times.join(" | ")}}:\${"day" | "week" | "month" | "year"}\`;`,
    interfaceType(
      `${names.Aggregate}<By = ${names.Group}${include && `, IncludeOptions = ${include}`}>`,
      [
        `where?: ${names.Where};`,
        "q?: string;",
        ...(totals === ""
          ? []
          : [`sum?: readonly (${totals})[];`, `avg?: readonly (${totals})[];`]),
        `min?: readonly (${extremes})[];`,
        `max?: readonly (${extremes})[];`,
        "by?: readonly By[];",
        ...(hasValues ? [`distinct?: readonly ${names.GroupField}[];`] : []),
        ...(include && ["include?: IncludeOptions;"]),
        "sort?: string;",
        "perPage?: number;",
        "timezone?: string;",
      ],
    ),
  ];
}

/** What groups may include: the records of links. Empty where there are none. */
export function groupInclude({ resource, names }: Named): string {
  const links = unionOf(resource.links.map(({ name }) => name));
  return links === "" ? "" : `Pick<${names.Include}, ${links}>`;
}

function unionOf(all: readonly string[]): string {
  return all.map(stringLiteral).join(" | ");
}
