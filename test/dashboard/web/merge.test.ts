import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Field } from "../../../runtime/dashboard/web/api/client/types.js";
import { merged, mergeOf, openFields } from "../../../runtime/dashboard/web/form/merge.js";
import type { Typed } from "../../../runtime/dashboard/web/form/state.js";
import { difference } from "../../../runtime/dashboard/web/form/text-diff.js";

describe("a merge", () => {
  const value = fc.constantFrom("", "a", "b", "c");
  const plain: readonly Field[] = ["one", "two", "three", "four"].map((key) => ({
    name: key,
    type: "string",
  }));
  const version = fc.record({ one: value, two: value, three: value, four: value });

  test("each field is unchanged, mine, theirs or in conflict, and only conflicts need a choice", () => {
    fc.assert(
      fc.property(version, version, version, (old, theirs, mine) => {
        const merge = mergeOf(plain, { before: old, theirs, mine });
        const names = [...merge.both, ...merge.mine, ...merge.theirs].map(
          ({ field }) => field.name,
        );
        expect(new Set(names).size).toBe(names.length);
        expect(openFields(merge, {})).toEqual(merge.both);
        for (const key of Object.keys(old) as (keyof typeof old)[]) {
          const isUntouched = old[key] === theirs[key] && old[key] === mine[key];
          expect(names.includes(key)).toBe(!isUntouched);
        }
      }),
    );
  });

  test("the body on top of theirs gives each side its choice, and touches nothing else", () => {
    fc.assert(
      fc.property(
        version,
        version,
        version,
        fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
        (old, theirs, mine, sides) => {
          const merge = mergeOf(plain, { before: old, theirs, mine });
          const choices = Object.fromEntries(
            merge.both.map(({ field }, at) => [field.name, sides[at] ? "mine" : "theirs"] as const),
          );
          const result = merged(merge, theirs, choices);
          const written: Typed = { ...theirs, ...bodyOfTyped(result.fields, result.mine) };
          expect(written).toEqual(result.mine);
          for (const { field } of merge.theirs)
            expect(written[field.name]).toBe(theirs[field.name as "one"]);
          for (const { field } of merge.mine)
            expect(written[field.name]).toBe(mine[field.name as "one"]);
          for (const { field } of merge.both) {
            const side = choices[field.name] === "mine" ? mine : theirs;
            expect(written[field.name]).toBe(side[field.name as "one"]);
          }
        },
      ),
    );
  });

  test("a change that was undone is not sent", () => {
    const merge = mergeOf(plain, {
      before: { one: "a" },
      theirs: { one: "a" },
      mine: { one: "b" },
    });
    expect(merged(merge, { one: "a" }, { one: "theirs" })).toEqual({
      mine: { one: "a" },
      fields: [],
    });
  });

  function bodyOfTyped(kept: readonly Field[], mine: Typed): Typed {
    return Object.fromEntries(kept.map((field) => [field.name, mine[field.name] ?? ""]));
  }
});

test("unchanged and removed words make the old text, unchanged and added words the new one", () => {
  const words = fc
    .array(fc.constantFrom("tea", "jar", " ", "\n", "of", "stone"), { maxLength: 30 })
    .map((all) => all.join(""));
  fc.assert(
    fc.property(words, words, (from, to) => {
      const pieces = difference(from, to);
      const side = (left: string) =>
        pieces
          .filter(({ kind }) => kind !== left)
          .map(({ text }) => text)
          .join("");
      expect(side("new")).toBe(from);
      expect(side("gone")).toBe(to);
    }),
  );
  expect(difference("a stone jar", "a glass jar")).toEqual([
    { kind: "same", text: "a " },
    { kind: "gone", text: "stone" },
    { kind: "new", text: "glass" },
    { kind: "same", text: " jar" },
  ]);
});

test("an unchanged word is found, whatever the spaces around it align with", () => {
  const pieces = difference("for breakfast and for baking", "for breakfast, tea and baking");
  expect(pieces.filter(({ kind }) => kind === "same").map(({ text }) => text.trim())).toContain(
    "and",
  );
});
