import { didYouMean } from "../../../runtime/values/nearest.js";
import {
  isOperator,
  likePattern,
  maxConditions,
  maxDepth,
  maxListed,
  maxSearchLength,
  type Operator,
  operatorProblem,
  operators,
  takesList,
} from "../../../runtime/values/operators.js";
import { listWordsBriefly } from "../../../runtime/values/text.js";
import type { Path } from "../../../runtime/values/yaml/position.js";
import { isMap } from "../../descriptor/shape.js";
import type { DescriptorIssue } from "../../descriptor/source.js";
import type { Operand, Predicate } from "../../model/condition.js";
import { isWord, readOperand } from "./operand.js";
import type { Named, Place } from "./place.js";

/** The most links that may follow each other. */
const maxLinks = 2;
const fieldPrefix = "field:";

/** The predicate of a rule's condition, with all its issues. `isPublic`: it applies to callers without an account. */
export function readCondition(
  place: Place,
  json: unknown,
  path: Path,
  reading: { readonly isPublic: boolean },
): { readonly predicate: Predicate; readonly issues: readonly DescriptorIssue[] } {
  const reader = new ConditionReader(reading);
  const predicate = reader.object(json, { place, path, level: 1, links: 0 });
  return { predicate, issues: reader.issues };
}

/** The position of an object of conditions. */
interface At {
  readonly place: Place;
  readonly path: Path;
  readonly level: number;
  readonly links: number;
}

const everything: Predicate = { kind: "all", parts: [] };

class ConditionReader {
  readonly issues: DescriptorIssue[] = [];
  readonly #isPublic: boolean;
  #conditions = 0;

  constructor({ isPublic }: { readonly isPublic: boolean }) {
    this.#isPublic = isPublic;
  }

  object(json: unknown, at: At): Predicate {
    if (!isMap(json)) {
      return this.#refuse(at.path, "must be a map of conditions", "write { status: live }");
    }
    if (at.level > maxDepth) {
      return this.#refuse(at.path, `is deeper than ${maxDepth} levels`, "write it flatter");
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
    return [this.#refuse(at.path, "must be a list of conditions", "write [{ … }, { … }]")];
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
      return this.#refuse(
        path,
        `is beyond ${maxLinks} links`,
        "compare with a field that is nearer",
      );
    }
    if (link.place === null) return everything;
    const next = { ...deeper(at), place: link.place, links: links + 1 };
    const before = this.#conditions;
    const part = this.object(value, next);
    if (this.#conditions === before) this.#count(path);
    return { kind: "linked", column: link.column, to: link.to, part };
  }

  #refuseName(name: string, { place, path }: At): Predicate {
    if (place.isInverse(name)) {
      const hint = "a condition goes by fields of the record and of records that it links to";
      return this.#refuse(path, "is an inverse", hint, "key");
    }
    const names = [...place.fields, ...place.links];
    const hint = didYouMean(name, names) ?? `the fields are ${listWordsBriefly(place.fields)}`;
    return this.#refuse(path, `is not a field of "${place.name}"`, hint, "key");
  }

  #field(field: Named, value: unknown, at: At): Predicate {
    const { path } = at;
    if (field.comparisons === null) {
      const hint = "compare with a field of another type";
      return this.#refuse(path, `is a ${field.kind} field, which cannot be compared`, hint, "key");
    }
    if (!isMap(value)) return this.#equal(field, value, path);
    const entries = Object.entries(value);
    if (entries.length === 0) return this.#refuse(path, "has no operator", operatorHint);
    const parts = entries.map(([word, operand]) =>
      this.#operator(field, word, operand, [...path, word]),
    );
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind: "all", parts };
  }

  #operator(field: Named, word: string, value: unknown, path: Path): Predicate {
    if (!isOperator(word)) {
      const hint = didYouMean(word, operators) ?? operatorHint;
      return this.#refuse(path, "is not an operator", hint, "key");
    }
    const problem = field.comparisons && operatorProblem(field.comparisons, word);
    if (problem) return this.#refuse(path, `cannot be used: ${problem}`, operatorHint, "key");
    if (takesList(word)) return this.#oneOf(field, word, value, path);
    if (word === "ne") return { kind: "not", part: this.#equal(field, value, path) };
    if (value === null || value === "") {
      return this.#refuse(path, "must not be empty", "write null alone for an empty field");
    }
    if (word === "contains" || word === "starts" || word === "ends") {
      return this.#like(field, word, value, path);
    }
    const operand = this.#operand(field, value, path);
    return operand === null
      ? everything
      : { ...named(field), operator: comparing[word], value: operand };
  }

  #equal(field: Named, value: unknown, path: Path): Predicate {
    if (value === null) {
      this.#count(path);
      return { kind: "empty", column: field.column };
    }
    const operand = this.#operand(field, value, path);
    if (operand === null) return everything;
    if (field.isInteger && "text" in operand && !Number.isSafeInteger(Number(operand.text))) {
      return this.#refuse(path, "is compared with a fraction", "the field holds whole numbers");
    }
    return { ...named(field), operator: "=", value: operand };
  }

  #oneOf(field: Named, word: "in" | "nin", value: unknown, path: Path): Predicate {
    if (!Array.isArray(value) || value.length === 0 || value.length > maxListed) {
      const what = `must be a list of 1 to ${maxListed} values`;
      return this.#refuse(path, what, "write [draft, review]");
    }
    this.#count(path);
    const values = value.flatMap((one, index) => {
      if (one === null) return [];
      return this.#operand(field, one, [...path, index], { isCounted: true }) ?? [];
    });
    const listed: Predicate = { kind: "oneOf", column: field.column, values };
    const isOneOf: Predicate = value.includes(null)
      ? { kind: "any", parts: [listed, { kind: "empty", column: field.column }] }
      : listed;
    return word === "in" ? isOneOf : { kind: "not", part: isOneOf };
  }

  #like(field: Named, word: "contains" | "starts" | "ends", value: unknown, path: Path): Predicate {
    const operand = this.#operand(field, value, path);
    if (operand === null || !("text" in operand)) return everything;
    if ([...operand.text].length > maxSearchLength) {
      const what = `is longer than ${maxSearchLength} characters`;
      return this.#refuse(path, what, "write a shorter text");
    }
    return { kind: "like", column: field.column, pattern: likePattern(word, operand.text) };
  }

  #operand(field: Named, value: unknown, path: Path, { isCounted = false } = {}): Operand | null {
    if (!isCounted) this.#count(path);
    const read = readOperand(field, value);
    if ("operand" in read) {
      if ("word" in read.operand && read.operand.word === "account" && this.#isPublic) {
        const hint = "name callers with an account, such as signed-in, or leave it out";
        this.#refuse(path, "is $accountId, and a caller without a token has no account", hint);
      }
      return read.operand;
    }
    const isDollar = typeof value === "string" && value.startsWith("$");
    const what = `is compared with ${JSON.stringify(value)}`;
    const own = isWord(value) ? `, which is not for ${field.kind} fields` : "";
    const unknown =
      isDollar && !isWord(value) ? ", and only $now, $today and $accountId mean something" : "";
    this.#refuse(path, what + own + unknown, `write ${read.expected}`);
    return null;
  }

  #count(path: Path): void {
    this.#conditions += 1;
    if (this.#conditions !== maxConditions + 1) return;
    this.#refuse(path, `is one of more than ${maxConditions} conditions`, "write fewer");
  }

  #refuse(path: Path, what: string, hint: string, at: "key" | "value" = "value"): Predicate {
    // Without `access`, the action and the index in its list.
    const start = path.findIndex((part) => part === "where" || part === "check");
    const message = `"${path.slice(start).join(".")}" ${what}`;
    this.issues.push({ path, at, message, hint });
    return everything;
  }
}

const operatorHint = `the operators are ${listWordsBriefly(operators)}`;

const comparing = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const satisfies Partial<
  Record<Operator, string>
>;

function named({ field, column }: Named) {
  return { kind: "compared", field, column } as const;
}

function deeper(at: At): At {
  return { ...at, level: at.level + 1 };
}
