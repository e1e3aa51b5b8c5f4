import { didYouMean } from "../../../runtime/values/nearest.js";
import {
  isOperator,
  maxDepth,
  type Operator,
  operatorProblem,
  operators,
  takesList,
} from "../../../runtime/values/operators.js";
import { listWordsBriefly } from "../../../runtime/values/text.js";
import type { Path } from "../../../runtime/values/yaml/position.js";
import { isMap } from "../../descriptor/shape.js";
import type { DescriptorIssue } from "../../descriptor/source.js";
import type { Predicate } from "../../model/condition.js";
import { Comparisons, type Written } from "./comparisons.js";
import { ConditionIssues, everything } from "./issues.js";
import { readMembers } from "./members.js";
import { nameProblem } from "./name-problem.js";
import { comparing, named } from "./operand.js";
import type { Named, Place } from "./place.js";

/** Maximum number of consecutive links that a condition follows. */
const maxLinks = 2;
const fieldPrefix = "field:";

/**
 * Returns the predicate of a rule's condition, with all its issues. `isPublic` means that it applies to callers without
 * an account.
 */
export function readCondition(
  place: Place,
  { value, path }: Written,
  reading: { readonly isPublic: boolean },
): { readonly predicate: Predicate; readonly issues: readonly DescriptorIssue[] } {
  const reader = new ConditionReader(reading);
  const predicate = reader.object(value, { place, path, level: 1, links: 0 });
  return { predicate, issues: reader.issues };
}

/** The position of an object of conditions. */
interface At {
  readonly place: Place;
  readonly path: Path;
  readonly level: number;
  readonly links: number;
}

class ConditionReader {
  readonly #issues = new ConditionIssues();
  readonly #comparisons: Comparisons;

  constructor(reading: { readonly isPublic: boolean }) {
    this.#comparisons = new Comparisons(this.#issues, reading);
  }

  get issues(): readonly DescriptorIssue[] {
    return this.#issues.all;
  }

  object(json: unknown, at: At): Predicate {
    if (!isMap(json)) {
      return this.#issues.refuse(at.path, "must be a map of conditions", "write { status: live }");
    }
    if (at.level > maxDepth) {
      return this.#issues.refuse(
        at.path,
        `is nested more than ${maxDepth} levels deep`,
        "use fewer levels",
      );
    }
    const parts = Object.entries(json).map(([key, value]) =>
      this.#member(key, value, { ...at, path: [...at.path, key] }),
    );
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind: "all", parts };
  }

  #member(key: string, value: unknown, at: At): Predicate {
    switch (key) {
      case "and":
        return { kind: "all", parts: this.#list(value, at) };
      case "or":
        return { kind: "any", parts: this.#list(value, at) };
      case "not":
        return { kind: "not", part: this.object(value, deeper(at)) };
      default:
        return this.#named(key, value, at);
    }
  }

  #list(value: unknown, at: At): readonly Predicate[] {
    if (Array.isArray(value)) {
      return value.map((part, index) =>
        this.object(part, deeper({ ...at, path: [...at.path, index] })),
      );
    }
    return [this.#issues.refuse(at.path, "must be a list of conditions", "write [{ … }, { … }]")];
  }

  #named(key: string, value: unknown, at: At): Predicate {
    const { place, path, links } = at;
    const isField = key.startsWith(fieldPrefix);
    const name = isField ? key.slice(fieldPrefix.length) : key;
    const field = place.field(name);
    if (field !== null) return this.#field(field, value, at);
    if (place.isUnknown(name)) return everything;
    const link = isField ? null : place.link(name);
    if (link === null) return this.#refuseName(name, at);
    if (links === maxLinks) {
      return this.#issues.refuse(
        path,
        `follows more than ${maxLinks} links`,
        "compare with a field that is fewer links away",
      );
    }
    if (link.place === null) return everything;
    const next = { ...deeper(at), place: link.place, links: links + 1 };
    const before = this.#issues.conditions;
    const part = this.object(value, next);
    if (this.#issues.conditions === before) this.#issues.count(path);
    return { kind: "linked", column: link.column, to: link.to, part };
  }

  #refuseName(name: string, { place, path }: At): Predicate {
    const { what, hint } = nameProblem(name, place);
    return this.#issues.refuseKey(path, what, hint);
  }

  #field(field: Named, value: unknown, at: At): Predicate {
    const { path } = at;
    if (field.hasMembers) return readMembers(field, { value, path }, this.#issues);
    if (field.comparisons === null) {
      const hint = "compare with a field of another type";
      return this.#issues.refuseKey(
        path,
        `is a ${field.kind} field, which cannot be compared`,
        hint,
      );
    }
    if (!isMap(value)) return this.#comparisons.equal(field, { value, path });
    const entries = Object.entries(value);
    if (entries.length === 0) return this.#issues.refuse(path, "has no operator", operatorHint);
    const parts = entries.map(([word, operand]) =>
      this.#operator(field, word, { value: operand, path: [...path, word] }),
    );
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind: "all", parts };
  }

  #operator(field: Named, word: string, written: Written): Predicate {
    const { value, path } = written;
    if (!isOperator(word) || word === "same" || word === "all") {
      const hint = didYouMean(word, operators) ?? operatorHint;
      return this.#issues.refuseKey(path, "is not an operator", hint);
    }
    const { comparisons } = field;
    const problem = comparisons && operatorProblem(comparisons, word);
    if (problem) {
      const hint = hintOf(usable.filter((one) => operatorProblem(comparisons, one) === null));
      return this.#issues.refuseKey(path, `cannot be used: ${problem}`, hint);
    }
    if (word === "has")
      return this.#comparisons.elements(field, "hasAll", { value: [value], path });
    if (word === "hasAny" || word === "hasAll")
      return this.#comparisons.elements(field, word, written);
    if (takesList(word)) return this.#comparisons.oneOf(field, word, written);
    if (word === "ne") return { kind: "not", part: this.#comparisons.equal(field, written) };
    if (value === null || value === "") {
      return this.#issues.refuse(path, "must not be empty", "write null alone for an empty field");
    }
    if (word === "contains" || word === "starts" || word === "ends") {
      return this.#comparisons.like(field, word, written);
    }
    const operand = this.#comparisons.operand(field, written);
    return operand === null
      ? everything
      : { ...named(field), operator: comparing[word], value: operand };
  }
}

/** The query operators that conditions support too. */
const usable = operators.filter((one) => one !== "same" && one !== "all");
const operatorHint = hintOf(usable);

function hintOf(words: readonly Operator[]): string {
  const [only = "", ...others] = words;
  return others.length === 0
    ? `the only operator is ${only}, and its value is null`
    : `the operators are ${listWordsBriefly(words)}`;
}

function deeper(at: At): At {
  return { ...at, level: at.level + 1 };
}
