import {
  type Conditional,
  entriesOf,
  isOwnerWord,
  type JsonCondition,
  type JsonValue,
  memberRoleOf,
  publicWord,
  type Rule,
  signedInWord,
} from "../../../values/access-rule.js";
import type { Field, Resource } from "../api/client/types.js";
import { labelOf } from "../api/records/descriptors.js";
import { enRules } from "../text/en/operators/rules.js";
import { listed } from "../text/format.js";

const text = enRules;

type Resources = readonly Resource[];

/** Describes a rule: whom it allows, and under which conditions. */
export function ruleWords(resources: Resources, resource: Resource, rule: Rule): string {
  const entries = entriesOf(rule).map((entry) =>
    typeof entry === "string"
      ? whoWords(entry, resource)
      : entryWords(entry, { resources, resource }),
  );
  return entries.length === 0 ? text.who.none : entries.join(text.entries);
}

/** Describes alternative conditions, joined by "or". */
export function anyWords(
  resources: Resources,
  resource: Resource,
  conditions: readonly JsonCondition[],
): string {
  const parts = conditions.map((one) => conditionWords(one, { resources, resource }));
  return parts.length === 1 ? (parts[0] ?? "") : listed(parts.map(text.grouped), "or");
}

/** The resource whose fields a condition names. */
interface Scope {
  readonly resources: Resources;
  readonly resource: Resource;
}

function whoWords(who: string, { owner }: Resource): string {
  if (who === publicWord) return text.who.public;
  if (who === signedInWord) return text.who.signedIn;
  if (!isOwnerWord(who)) return who;
  const role = memberRoleOf(who);
  if (role !== null) return text.who.membersAs(role);
  return typeof owner === "object" ? text.who.members : text.who.owner;
}

function entryWords({ who, where, check }: Conditional, scope: Scope): string {
  const name = whoWords(who, scope.resource);
  const [stored, written] = [where, check].map((one) => one && conditionWords(one, scope));
  if (stored === undefined) return written === undefined ? name : text.check(name, written);
  return written === undefined
    ? text.where(name, stored)
    : text.whereAndCheck(name, stored, written);
}

function conditionWords(condition: JsonCondition, scope: Scope): string {
  const parts = Object.entries(condition).map(([key, value]) => partWords(key, value, scope));
  return listed(parts, "and");
}

function partWords(key: string, value: JsonValue, scope: Scope): string {
  if (key === "not") return text.not(conditionWords(mapOf(value), scope));
  if (key === "and" || key === "or") {
    const parts = (Array.isArray(value) ? value : []).map((one) => conditionWords(one, scope));
    return text.grouped(listed(parts, key));
  }
  const { resource, resources } = scope;
  const name = key.replace(/^field:/, "");
  const field = resource.fields.find((one) => one.name === name);
  if (field !== undefined) return comparedWords(field, value);
  const link = resource.fields.find((one) => one.link === name || one.name === `${name}Id`);
  const target = resources.find((one) => one.name === link?.resource);
  if (link === undefined) return comparedWords(timeOf(name), value);
  const inner: Scope = { resources, resource: target ?? { ...resource, fields: [] } };
  return text.linked(labelOf(link), conditionWords(mapOf(value), inner));
}

/** A field that every record has: its id, or one of its times. */
function timeOf(name: string): Field {
  return { name, type: name === "id" ? "id" : "timestamp" };
}

function comparedWords(field: Field, value: JsonValue): string {
  const label = labelOf(field);
  if (value === null) return text.empty(label);
  const operators = typeof value === "object" ? mapOf(value) : { eq: value };
  const parts = Object.entries(operators).map(([operator, operand]) => {
    if (operand === null) return operator === "ne" ? text.notEmpty(label) : text.empty(label);
    const values = Array.isArray(operand) ? operand : [operand];
    const comparison = comparisonWords(field, operator);
    return text.compared(label, comparison, listed(values.map(valueWords), "or"));
  });
  return listed(parts, "and");
}

function comparisonWords({ type }: Field, operator: string): string {
  const ofTimes = type === "date" || type === "timestamp" ? text.times[operator] : undefined;
  return ofTimes ?? text.comparisons[operator] ?? operator;
}

function valueWords(value: JsonValue): string {
  if (value === null) return text.nothing;
  if (typeof value === "boolean") return value ? text.yes : text.no;
  const written = String(value);
  return text.words[written] ?? written;
}

function mapOf(value: JsonValue): JsonCondition {
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  return isMap ? (value as JsonCondition) : {};
}
