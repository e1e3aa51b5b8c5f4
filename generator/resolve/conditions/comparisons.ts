import { likePattern, maxListed, maxSearchLength } from "../../../runtime/values/operators.js";
import type { Path } from "../../../runtime/values/yaml/position.js";
import type { Operand, Predicate } from "../../model/condition.js";
import { type ConditionIssues, everything } from "./issues.js";
import { named, readOperand, wrongOperand, zoned } from "./operand.js";
import type { Named } from "./place.js";

/** A value in a condition, with its position. */
export interface Written {
  readonly value: unknown;
  readonly path: Path;
}

/** Reads comparisons of a field with values, and reports their mistakes. */
export class Comparisons {
  readonly #issues: ConditionIssues;
  readonly #isPublic: boolean;

  constructor(issues: ConditionIssues, { isPublic }: { readonly isPublic: boolean }) {
    this.#issues = issues;
    this.#isPublic = isPublic;
  }

  equal(field: Named, written: Written): Predicate {
    const { value, path } = written;
    if (value === null) {
      this.#issues.count(path);
      return emptyOf(field);
    }
    if (field.isList) {
      const hint = "write { has: value }, or null for an empty list";
      return this.#issues.refuse(path, "is a list, which is compared by its elements", hint);
    }
    const operand = this.operand(field, written);
    if (operand === null) return everything;
    if (this.#isFraction(field, operand)) {
      return this.#issues.refuse(
        path,
        "is compared with a fraction",
        "the field holds whole numbers",
      );
    }
    return { ...named(field), operator: "=", value: operand };
  }

  #isFraction({ isInteger }: Named, operand: Operand): boolean {
    return isInteger && "text" in operand && !Number.isSafeInteger(Number(operand.text));
  }

  oneOf(field: Named, word: "in" | "nin", { value, path }: Written): Predicate {
    if (!Array.isArray(value) || value.length === 0 || value.length > maxListed) {
      const what = `must be a list of 1 to ${maxListed} values`;
      return this.#issues.refuse(path, what, "write [draft, review]");
    }
    this.#issues.count(path);
    const values = value.flatMap((one, index) => {
      if (one === null) return [];
      return this.#readOperand(field, { value: one, path: [...path, index] }) ?? [];
    });
    const { column, timezone } = field;
    const listed: Predicate = { kind: "oneOf", column, ...zoned(timezone), values };
    const isOneOf: Predicate = value.includes(null)
      ? { kind: "any", parts: [listed, emptyOf(field)] }
      : listed;
    return word === "in" ? isOneOf : { kind: "not", part: isOneOf };
  }

  /** Compares the elements of a list; any other value counts as a list of one element. */
  elements(field: Named, kind: "hasAny" | "hasAll", { value, path }: Written): Predicate {
    if (!Array.isArray(value) || value.length === 0 || value.length > maxListed) {
      const what = `must be a list of 1 to ${maxListed} values`;
      return this.#issues.refuse(path, what, "write [new, offer]");
    }
    this.#issues.count(path);
    const values = value.flatMap((one, index) => {
      const place = value.length === 1 ? path : [...path, index];
      if (one === "") {
        this.#issues.refuse(place, "must not be empty", "a list has no empty elements");
        return [];
      }
      const operand = this.#readOperand(field, { value: one, path: place });
      if (operand !== null && this.#isFraction(field, operand)) {
        this.#issues.refuse(place, "is compared with a fraction", "the field holds whole numbers");
        return [];
      }
      return operand ?? [];
    });
    return { kind, column: field.column, values };
  }

  like(field: Named, word: "contains" | "starts" | "ends", written: Written): Predicate {
    const operand = this.operand(field, written);
    if (operand === null || !("text" in operand)) return everything;
    if ([...operand.text].length > maxSearchLength) {
      const what = `is longer than ${maxSearchLength} characters`;
      return this.#issues.refuse(written.path, what, "write a shorter text");
    }
    return { kind: "like", column: field.column, pattern: likePattern(word, operand.text) };
  }

  /** Reads the operand of a comparison, which counts as one condition. */
  operand(field: Named, written: Written): Operand | null {
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
          "is $accountId, but a caller without a token has no account",
          hint,
        );
      }
      return read.operand;
    }
    this.#issues.refuse(path, wrongOperand(field, value), `write ${read.expected}`);
    return null;
  }
}

function emptyOf({ column, isList }: Named): Predicate {
  return { kind: "empty", column, ...(isList && { isList: true }) };
}
