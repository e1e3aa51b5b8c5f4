import { RE2JS } from "re2js";

/** A test for a whole value, in time linear to its length whatever the expression. */
export function compilePattern(pattern: string): (value: string) => boolean {
  const compiled = RE2JS.compile(pattern);
  return (value) => compiled.matches(value);
}
