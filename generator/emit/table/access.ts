import type { ModelEntry, ModelRule, Predicate } from "../../model/condition.js";
import type { Access } from "../../model/model.js";
import type { Layout } from "../../text/layout.js";
import {
  array,
  literal,
  object,
  property,
  stringLiteral,
  tallArray,
} from "../../text/typescript.js";
import { conditionFunction } from "./condition.js";

/** `access`: the rule of each action, with the conditions of its entries as SQL. */
export function accessProperty(access: Access): Layout {
  const rules = Object.entries(access).map(([action, rule]) => property(action, ruleLayout(rule)));
  return property("access", object(rules));
}

/** A rule in the runtime's form. */
export function ruleLayout(rule: ModelRule): Layout {
  if (typeof rule === "string") return stringLiteral(rule);
  const isTall = rule.length > 1 && rule.every((entry) => typeof entry !== "string");
  const entries = rule.map((entry) =>
    typeof entry === "string" ? stringLiteral(entry) : entryLayout(entry),
  );
  return isTall ? tallArray(entries) : array(entries);
}

function entryLayout({ who, where, check, stored, written }: ModelEntry): Layout {
  const equal = equalityOf(stored);
  return object([
    property("who", stringLiteral(who)),
    ...(where === undefined ? [] : [property("where", literal(where))]),
    ...(check === undefined ? [] : [property("check", literal(check))]),
    ...(stored === undefined ? [] : [property("stored", conditionFunction(stored))]),
    ...(equal === null ? [] : [property("equal", literal(equal))]),
    ...(written === undefined ? [] : [property("written", conditionFunction(written))]),
  ]);
}

/** The field and the value of a condition that is a single equality; null for any other. */
function equalityOf(predicate: Predicate | undefined) {
  if (predicate?.kind !== "compared" || predicate.operator !== "=") return null;
  const { field, value } = predicate;
  return "text" in value ? { field, value: value.text } : null;
}
