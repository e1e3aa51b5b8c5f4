import { RE2JS } from "re2js";
import type { Finds } from "./validate.js";

/** Returns a function that searches texts for patterns in linear time, and compiles each pattern only once. */
export function newFinder(): Finds {
  const compiled = new Map<string, RE2JS>();
  return (pattern, text) => {
    const known = compiled.get(pattern) ?? RE2JS.compile(pattern);
    compiled.set(pattern, known);
    return known.matcher(text).find();
  };
}
