import {
  type Comparisons,
  isOfLists,
  type ListComparisons,
} from "../../../runtime/values/operators.js";
import type { IdType } from "../../../runtime/values/schema/id-types.js";
import { idSchema } from "../../kind/column/id-text.js";
import type { Schema } from "../../kind/kind.js";
import { type Field, kindOf, kinds, valueSchema } from "../../kind/kinds.js";
import { elementOf } from "../../kind/list/list.js";
import { isAnyCase, type Model, type Resource, severalOf } from "../../model/model.js";
import { knownTimes } from "../../model/times.js";
import { person, personInclude, personWhere } from "../accounts/person.js";
import { nullable, objectSchema, schemaRef } from "../operation.js";
import { jsonCondition, jsonSchemas } from "./json.js";
import type { DescribedNames } from "./names.js";

const equality = ["ne", "in", "nin"] as const;
const order = ["gt", "gte", "lt", "lte"] as const;
const text = ["contains", "starts", "ends"] as const;
/** Only for fields with `unique: any-case`. */
const anyCase = ["same"] as const;

/** Operators in addition to equality. */
const operatorsOf: Readonly<Record<Exclude<Comparisons, ListComparisons>, readonly string[]>> = {
  whole: equality,
  order: [...equality, ...order],
  text: [...equality, ...order, ...text],
  links: [...equality, "all"],
};

/** Returns the conditions that resources share, limited to those that the model uses. */
export function sharedConditions({ resources }: Model): Readonly<Record<string, Schema>> {
  const fields = resources.flatMap((resource) => resource.fields);
  const used = new Set([
    ...(resources.length === 0 ? [] : [idConditions.uuid, "TimestampCondition"]),
    ...resources.map(({ id }) => idConditions[id.type]),
    ...fields.map(sharedName),
    ...(fields.some((field) => kindOf(field).hasMembers) ? Object.keys(jsonSchemas) : []),
    ...(resources.some(linksAccounts)
      ? ["TextCondition", "PersonWhere", "PersonInclude", "Person"]
      : []),
  ]);
  return Object.fromEntries(Object.entries(conditions).filter(([name]) => used.has(name)));
}

function linksAccounts({ links, lists }: Resource): boolean {
  return [...links, ...lists].some(({ resource }) => resource === "users");
}

/** Conditions on enums that are used more than once, by their JSON text; others are inlined. */
export type SharedEnums = ReadonlyMap<string, { readonly name: string; readonly schema: Schema }>;

/** Returns the enum conditions that several fields share, each named after the second field that uses it. */
export function sharedEnums({ resources }: Model): SharedEnums {
  const fields = resources.flatMap((resource) => resource.fields);
  const seen = new Set<string>();
  const named = new Map<string, { readonly name: string; readonly schema: Schema }>();
  const taken = new Set(Object.keys(conditions));
  for (const field of fields) {
    const schema = conditionOf(field);
    if (schema === null) continue;
    const text = JSON.stringify(schema);
    if (!seen.has(text)) seen.add(text);
    else if (!named.has(text)) {
      const word = field.name.charAt(0).toUpperCase() + field.name.slice(1);
      let name = `${word}Condition`;
      while (taken.has(name)) name += "_";
      taken.add(name);
      named.set(text, { name, schema });
    }
  }
  return named;
}

export function conditionSchemaNames(): readonly string[] {
  return Object.keys(conditions);
}

/** The conditions on an id. */
const idConditions: Readonly<Record<IdType, string>> = {
  uuid: "IdCondition",
  integer: "WholeIdCondition",
  string: "TextIdCondition",
};

/** The conditions on a list of ids. */
const idsConditions: Readonly<Record<IdType, string>> = {
  uuid: "IdsCondition",
  integer: "WholeIdsCondition",
  string: "TextIdsCondition",
};

/** Returns the name of the field's shared condition; for links, that of the ids of their targets. */
function sharedName(field: Field): string | undefined {
  const { condition } = kindOf(field);
  if (!("target" in field)) return condition?.shared?.name;
  const names = condition?.comparisons === "links" ? idsConditions : idConditions;
  return names[field.target.id.type];
}

const conditions: Readonly<Record<string, Schema>> = {
  ...Object.fromEntries(
    kinds.flatMap(({ condition: one }) => {
      if (one === null || one.shared === null || isOfLists(one.comparisons)) return [];
      return [
        [one.shared.name, condition(one.shared.value, operatorsOf[one.comparisons])] as const,
      ];
    }),
  ),
  [idConditions.integer]: condition(idSchema("integer"), operatorsOf.whole),
  [idConditions.string]: condition(idSchema("string"), operatorsOf.whole),
  [idsConditions.integer]: condition(idSchema("integer"), operatorsOf.links),
  [idsConditions.string]: condition(idSchema("string"), operatorsOf.links),
  ...jsonSchemas,
  PersonWhere: personWhere,
  PersonInclude: personInclude,
  Person: person,
};

/** Returns the condition on a field if it cannot be shared; otherwise null. */
function conditionOf(field: Field): Schema | null {
  const { condition: own } = kindOf(field);
  if (own === null) return null;
  if (isOfLists(own.comparisons)) return listCondition(field, own.comparisons);
  const { shown } = valueSchema(field);
  if (isAnyCase(field)) return condition(shown, [...operatorsOf[own.comparisons], ...anyCase]);
  return own.shared === null ? condition(shown, operatorsOf[own.comparisons]) : null;
}

/** Returns the condition on a list: null for an empty one, or an object of operators on its elements. */
function listCondition(field: Field, comparisons: ListComparisons): Schema {
  const element = valueSchema(elementOf(field)).shown;
  const elements = { type: "array", minItems: 1, maxItems: 100, items: element };
  const empty = { type: "null" };
  const operators = {
    ne: empty,
    ...(comparisons !== "files" && { has: element, hasAny: elements, hasAll: elements }),
    ...(comparisons === "texts" && {
      contains: { type: "string", minLength: 1, maxLength: 200 },
    }),
  };
  return {
    anyOf: [empty, { ...objectSchema(operators, Object.keys(operators)), minProperties: 1 }],
  };
}

/** Returns the schema of a condition: a value, which means equality, or an object of operators. */
function condition(value: Schema, names: readonly string[]): Schema {
  const operand = (operator: string): Schema => {
    if (operator === "in" || operator === "nin") {
      return { type: "array", minItems: 1, maxItems: 100, items: nullable(value) };
    }
    if (operator === "all") return { type: "array", minItems: 1, maxItems: 100, items: value };
    if (operator === "ne") return nullable(value);
    if (text.some((name) => name === operator)) {
      return { type: "string", minLength: 1, maxLength: 200 };
    }
    return names.some((name) => name === "contains") ? { ...value, minLength: 1 } : value;
  };
  const operations = objectSchema(
    Object.fromEntries(names.map((name) => [name, operand(name)])),
    names,
  );
  return { anyOf: [nullable(value), { ...operations, minProperties: 1 }] };
}

export function whereSchema(
  resource: Resource,
  names: DescribedNames,
  { whereOf, enums }: { whereOf(resource: string): string; readonly enums: SharedEnums },
): Schema {
  const self = schemaRef(names.Where);
  const list = { type: "array", items: self };
  const properties = {
    and: list,
    or: list,
    not: self,
    ...Object.fromEntries(
      filterableFields(resource, enums).map(({ name, schema }) => [keyOf(name), schema]),
    ),
    ...Object.fromEntries(
      resource.links.map((link) => [link.name, schemaRef(whereOf(link.resource))]),
    ),
    ...Object.fromEntries(
      severalOf(resource).map((inverse) => {
        const related = schemaRef(whereOf(inverse.resource));
        const either = objectSchema({ some: related, none: related }, ["some", "none"]);
        return [inverse.name, { ...either, minProperties: 1 }];
      }),
    ),
  };
  return objectSchema(properties, Object.keys(properties));
}

/** Prefixes a field name that is a reserved word. */
function keyOf(name: string): string {
  return ["and", "or", "not"].includes(name) ? `field:${name}` : name;
}

/** The filterable fields and the schemas of their conditions. */
function filterableFields(
  { fields, trash, times, id }: Resource,
  enums: SharedEnums,
): readonly { readonly name: string; readonly schema: Schema }[] {
  const own = fields.flatMap((field) => {
    const schema = fieldCondition(field, enums);
    return schema === null ? [] : [{ name: field.name, schema }];
  });
  return [
    { name: "id", schema: schemaRef(idConditions[id.type]) },
    ...own,
    // Deleted records only.
    ...(trash === null ? [] : [{ name: "deletedAt", schema: schemaRef("TimestampCondition") }]),
    ...knownTimes(times).map((name) => ({ name, schema: schemaRef("TimestampCondition") })),
  ];
}

/** Returns the condition on a field; null if lists cannot be filtered by it. */
function fieldCondition(field: Field, enums: SharedEnums): Schema | null {
  if (kindOf(field).hasMembers) return jsonCondition;
  const name = sharedName(field);
  if (name !== undefined && !isAnyCase(field)) return schemaRef(name);
  const own = conditionOf(field);
  const shared = enums.get(JSON.stringify(own));
  return shared === undefined ? own : schemaRef(shared.name);
}
