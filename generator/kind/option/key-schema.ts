import type { Condition, ValueSchema } from "../kind.js";

/** The schema of a storage key, which only an upload creates. */
export function keySchema(): ValueSchema {
  return { shown: { type: "string" }, rules: { minLength: 1, maxLength: 1000 }, example: null };
}

export const keyCondition: Condition = {
  comparisons: "whole",
  shared: { name: "KeyCondition", value: { type: "string" } },
  type: "IdCondition",
};
