import { maxConditions } from "../../../runtime/values/operators.js";
import type { Path } from "../../../runtime/values/yaml/position.js";
import type { DescriptorIssue } from "../../descriptor/source.js";
import type { Predicate } from "../../model/condition.js";

/** Replaces a condition that is invalid. */
export const everything: Predicate = { kind: "all", parts: [] };

/** Collects the mistakes of one condition, and counts its comparisons. */
export class ConditionIssues {
  readonly all: DescriptorIssue[] = [];
  #conditions = 0;

  get conditions(): number {
    return this.#conditions;
  }

  /** Counts a comparison; reports the first one beyond the maximum. */
  count(path: Path): void {
    this.#conditions += 1;
    if (this.#conditions !== maxConditions + 1) return;
    this.refuse(path, `exceeds the limit of ${maxConditions} conditions`, "write fewer");
  }

  /** Reports a mistake at the value. */
  refuse(path: Path, what: string, hint: string): Predicate {
    this.#add({ path, at: "value", hint }, what);
    return everything;
  }

  /** Reports a mistake at the key. */
  refuseKey(path: Path, what: string, hint: string): Predicate {
    this.#add({ path, at: "key", hint }, what);
    return everything;
  }

  #add(issue: Omit<DescriptorIssue, "message">, what: string): void {
    const { path } = issue;
    // Omits `access`, the action and the index in its list.
    const start = path.findIndex((part) => part === "where" || part === "check");
    const message = `"${path.slice(start).join(".")}" ${what}`;
    this.all.push({ ...issue, message });
  }
}
