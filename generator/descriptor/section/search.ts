import { z } from "zod";
import { didYouMean } from "../../../runtime/values/nearest.js";
import type { WrittenSearch } from "../descriptor.js";
import { readOptions, type Subject } from "../issues.js";
import { isMap } from "../shape.js";
import type { DescriptorIssue } from "../source.js";

export const weights = ["A", "B", "C", "D"] as const;

/** The text search configurations of PostgreSQL 15. */
export const searchLanguages: readonly string[] = [
  "simple",
  ...["arabic", "armenian", "basque", "catalan", "danish", "dutch", "english", "finnish"],
  ...["french", "german", "greek", "hindi", "hungarian", "indonesian", "irish", "italian"],
  ...["lithuanian", "nepali", "norwegian", "portuguese", "romanian", "russian", "serbian"],
  ...["spanish", "swedish", "tamil", "turkish", "yiddish"],
];

const example = "search: { language: english, fields: { name: A, description: B } }";

/** The value of `search` if it is a map. */
export const searchShape = z
  .strictObject({
    language: z
      .string("must be a language, or an enum field of languages")
      .meta({ hint: "for example language: english" })
      .optional()
      .describe(
        "The language whose words are stemmed: norwegian, english and so on, or simple for none; or the name of an enum field whose values are languages. Default: simple.",
      ),
    fields: z
      .record(z.string(), z.enum(weights, `must be ${weights.slice(0, -1).join(", ")} or D`), {
        error: "must be a map from fields to weights",
      })
      .refine((fields) => Object.keys(fields).length > 0, "needs at least one field")
      .meta({ hint: "for example fields: { name: A, description: B }" })
      .describe(
        "The searched fields with their weights, A to D: A weighs most. category.name is a field of the linked record, tags.name of each record in a list of links; a list is searched by the words of its elements.",
      ),
    accents: z
      .enum(["keep", "ignore"], "must be keep or ignore")
      .meta({ hint: "write accents: ignore, or remove it" })
      .optional()
      .describe(
        "ignore: words also match if only their accents differ; letters of the language, such as å in Swedish, stay distinct. Needs the extension unaccent. Default: keep.",
      ),
  })
  .describe("Full-text search.");

interface ReadSearch {
  readonly search: WrittenSearch | null;
  readonly issues: readonly DescriptorIssue[];
}

/** Reads `search`: its language, its fields with their weights, and how it treats accents. */
export function readSearch(written: unknown): ReadSearch {
  if (written === undefined) return { search: null, issues: [] };
  if (!isMap(written)) return { search: null, issues: [malformed(written)] };
  const { issues } = readOptions(searchShape, written, subject);
  const { success, data } = searchShape.safeParse(written);
  if (!success) return { search: null, issues };
  const { language = "simple", accents = "keep", fields } = data;
  const weighted = Object.entries(fields).map(([name, weight]) => ({ name, weight }));
  return { search: { language, accents, fields: weighted }, issues };
}

function malformed(written: unknown): DescriptorIssue {
  const at = { path: ["search"], at: "value" } as const;
  if (written === null) {
    return { ...at, message: '"search" is empty', hint: "write a value for it, or remove it" };
  }
  return { ...at, message: '"search" must be a map with fields', hint: `for example ${example}` };
}

const keys = Object.keys(searchShape.shape);

const subject: Subject = {
  name: `"search"`,
  part: "key",
  path: ["search"],
  example,
  hintFor: (key) => didYouMean(key, keys) ?? "its keys are language, fields and accents",
};
