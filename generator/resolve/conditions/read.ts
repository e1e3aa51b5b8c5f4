import { didYouMean } from "../../../runtime/values/nearest.js";
import {
  isOperator,
  likePattern,
  maxDepth,
  maxListed,
  maxSearchLength,
  operatorProblem,
  operators,
  takesList,
} from "../../../runtime/values/operators.js";
import { listWordsBriefly } from "../../../runtime/values/text.js";
import type { Path } from "../../../runtime/values/yaml/position.js";
import { isMap } from "../../descriptor/shape.js";
import type { DescriptorIssue } from "../../descriptor/source.js";
import type { Operand, Predicate } from "../../model/condition.js";
import { ConditionIssues, everything } from "./issues.js";
import { readMembers } from "./members.js";
import { nameProblem } from "./name-problem.js";
import { comparing, named, readOperand, wrongOperand } from "./operand.js";
import type { Named, Place } from "./place.js";

/** The most links that may follow each other. */
const maxLinks = 2;
const fieldPrefix = "field:";

/** A value of a condition, and where it is written. */
interface Written {
  readonly value: unknown;
  readonly path: Path;
}

/** The predicate of a rule's condition, with all its issues. `isPublic`: it applies to callers without an account. */
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
  readonly #isPublic: boolean;

  constructor({ isPublic }: { readonly isPublic: boolean }) {
    this.#isPublic = isPublic;
  }

  get issues(): readonly DescriptorIssue[] {
    return this.#issues.all;
  }

  object(json: unknown, at: At): Predicate {
    if (!isMap(json)) {
      return this.#issues.refuse(at.path, "must be a map of conditions", "write { status: live }");
    }
    if (at.level > maxDepth) {
      return this.#issues.refuse(at.path, `is deeper than ${maxDepth} levels`, "write it flatter");
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
        `is beyond ${maxLinks} links`,
        "compare with a field that is nearer",
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
    if (!isMap(value)) return this.#equal(field, { value, path });
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
    const problem = field.comparisons && operatorProblem(field.comparisons, word);
    if (problem) return this.#issues.refuseKey(path, `cannot be used: ${problem}`, operatorHint);
    if (takesList(word)) return this.#oneOf(field, word, written);
    if (word === "ne") return { kind: "not", part: this.#equal(field, written) };
    if (value === null || value === "") {
      return this.#issues.refuse(path, "must not be empty", "write null alone for an empty field");
    }
    if (word === "contains" || word === "starts" || word === "ends") {
      return this.#like(field, word, written);
    }
    const operand = this.#operand(field, written);
    return operand === null
      ? everything
      : { ...named(field), operator: comparing[word], value: operand };
  }

  #equal(field: Named, written: Written): Predicate {
    const { value, path } = written;
    if (value === null) {
      this.#issues.count(path);
      return { kind: "empty", column: field.column };
    }
    const operand = this.#operand(field, written);
    if (operand === null) return everything;
    if (field.isInteger && "text" in operand && !Number.isSafeInteger(Number(operand.text))) {
      return this.#issues.refuse(
        path,
        "is compared with a fraction",
        "the field holds whole numbers",
      );
    }
    return { ...named(field), operator: "=", value: operand };
  }

  #oneOf(field: Named, word: "in" | "nin", { value, path }: Written): Predicate {
    if (!Array.isArray(value) || value.length === 0 || value.length > maxListed) {
      const what = `must be a list of 1 to ${maxListed} values`;
      return this.#issues.refuse(path, what, "write [draft, review]");
    }
    this.#issues.count(path);
    const values = value.flatMap((one, index) => {
      if (one === null) return [];
      return this.#readOperand(field, { value: one, path: [...path, index] }) ?? [];
    });
    const listed: Predicate = { kind: "oneOf", column: field.column, values };
    const isOneOf: Predicate = value.includes(null)
      ? { kind: "any", parts: [listed, { kind: "empty", column: field.column }] }
      : listed;
    return word === "in" ? isOneOf : { kind: "not", part: isOneOf };
  }

  #like(field: Named, word: "contains" | "starts" | "ends", written: Written): Predicate {
    const operand = this.#operand(field, written);
    if (operand === null || !("text" in operand)) return everything;
    if ([...operand.text].length > maxSearchLength) {
      const what = `is longer than ${maxSearchLength} characters`;
      return this.#issues.refuse(written.path, what, "write a shorter text");
    }
    return { kind: "like", column: field.column, pattern: likePattern(word, operand.text) };
  }

  /** The operand of a comparison, which counts as one condition. */
  #operand(field: Named, written: Written): Operand | null {
    this.#issues.count(written.path);
    return this.#readOperand(field, written);
  }

  #readOperand(field: Named, { value, path }: Written): Operand | null {
    const read = readOperand(field, value);
    if ("operand" in read) {
      if ("word" in read.operand && read.operand.word === "account" && this.#isPublic) {
        const hint = "name callers with an account, such as signed-in, or leave it out";
        this.#issues.refuse(
          path,
          "is $accountId, and a caller without a token has no account",
          hint,
        );
      }
      return read.operand;
    }
    this.#issues.refuse(path, wrongOperand(field, value), `write ${read.expected}`);
    return null;
  }
}

const operatorHint = `the operators are ${listWordsBriefly(operators.filter((one) => one !== "same"))}`;

function deeper(at: At): At {
  return { ...at, level: at.level + 1 };
}
