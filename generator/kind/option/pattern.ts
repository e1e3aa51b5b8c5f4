import { RE2JS, RE2JSSyntaxException } from "re2js";
import type { Schema } from "../kind.js";

const compiled = new Map<string, RE2JS | string>();

/** Returns the compiled expression, or its error. Cached, as both the check and the example need it. */
export function compilePattern(pattern: string): RE2JS | string {
  const known = compiled.get(pattern) ?? compileAnew(pattern);
  compiled.set(pattern, known);
  return known;
}

function compileAnew(pattern: string): RE2JS | string {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) {
      return error.message.replace("error parsing regexp: ", "");
    }
    throw error;
  }
}

/** Returns the reason why a pattern is invalid; null if it is valid. */
export function patternProblem(pattern: string): string | null {
  const found = compilePattern(pattern);
  return typeof found === "string" ? found : null;
}

/** Whether the pattern matches any part of the string. */
export function findsPattern(pattern: string, text: string): boolean {
  const found = compilePattern(pattern);
  return typeof found !== "string" && found.matcher(text).find();
}

/**
 * Returns the pattern in JavaScript's syntax, or as an extension keyword if JavaScript might interpret it differently.
 */
export function patternSchema(pattern: string | null): Schema {
  if (pattern === null) return {};
  const whole = `^(?:${pattern})$`;
  return isJavaScriptPattern(pattern) ? { pattern: whole } : { "x-re2-pattern": pattern };
}

/** Whether JavaScript supports the pattern. Flags such as `(?i)` are excluded, as only some versions support them. */
function isJavaScriptPattern(pattern: string): boolean {
  if (/\(\?[^:]/.test(pattern)) return false;
  try {
    return new RegExp(pattern, "u") instanceof RegExp;
  } catch {
    return false;
  }
}
