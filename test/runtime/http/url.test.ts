import fc from "fast-check";
import { expect, test } from "vitest";
import { hasParameter, queryPairs } from "../../../runtime/http/request/url.js";

/** A query's name in some of its spellings, and what only looks like it. */
const character = fc.constantFrom(
  ..."where",
  ...["%77", "%68", "%65", "%72", "W", "%57", "%", "%7", "%ff", "+", "=", "&", "[", ""],
);

test.each(["where", "w%68ere=", "%77%68%65%72%65={}", "a=1&where={", "&&where=1&where=2"])(
  "%s has the parameter",
  (query) => expect(hasParameter(query, /^where$/)).toBe(true),
);

test.each([
  "",
  "a=where",
  "where%5B",
  "Where=1",
  "a=1%26where=2",
  "filter%5Bwhere%5D=1",
  "%zzwhere",
])("%s does not", (query) => expect(hasParameter(query, /^where$/)).toBe(false));

test("a parameter is found exactly where the parsed pairs have it", () => {
  fc.assert(
    fc.property(fc.array(character, { maxLength: 14 }), (characters) => {
      const query = characters.join("");
      const isThere = queryPairs(query).some(({ name }) => name === "where");
      expect(hasParameter(query, /^where$/)).toBe(isThere);
    }),
    { numRuns: 2_000 },
  );
});
