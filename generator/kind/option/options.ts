import { z } from "zod";
import { isUnicode } from "../../../runtime/values/text.js";
import { fieldNamePattern } from "../field.js";
import { columnName } from "./stored-name.js";

/**
 * Schemas of options. Each has one message for any invalid value, which follows the option's name: `"required" must be
 * true or false`. Its `hint` says what to write; its description is for editors.
 */
export const flag = z.boolean("must be true or false").meta({ hint: "write true or false" });

/** The option of kinds whose values can be unique. */
export const unique = flag
  .optional()
  .describe(
    "Whether no two records may have the same value; empty values may repeat. Default: false.",
  );

/** The option of string kinds, whose values can also be unique regardless of case. */
export const uniqueText = z
  .union([
    z.boolean(),
    z
      .literal("any-case", "must be true, false or any-case")
      .meta({ hint: "write true, false, or any-case" }),
  ])
  .meta({ hint: "write true, false, or any-case" })
  .optional()
  .describe(
    "Whether no two records may have the same value; empty values may repeat. any-case: values that differ only in case count as the same. Default: false.",
  );

export const trim = flag
  .optional()
  .describe(
    "Whether white space at both ends is removed before a value is validated. Default: false.",
  );

export const privateFiles = flag
  .optional()
  .describe(
    "Whether only callers who may read the record and the field may download the files: through signed URLs that expire, or with their token. Default: false.",
  );

/** A string that PostgreSQL can store: Unicode without NUL. */
export const unicode = z
  .string("must be text")
  .refine(isUnicode, {
    error: "contains a character that cannot be stored: U+0000 or an unpaired surrogate",
    params: { hint: "remove it, or write the character itself instead of an escape" },
  })
  .meta({ hint: "write one text, such as draft" });

export const number = z.number("must be a number").meta({ hint: "write a number, such as 10" });

/** Returns the schema of a string for people to read. */
export function words(most: number): z.ZodType<string> {
  const message = `must be text of 1 to ${most} characters`;
  return unicode
    .refine((text) => text.trim() !== "" && text.length <= most, message)
    .meta({
      hint: "write words that people read, such as Unit price",
      minLength: 1,
      maxLength: most,
    });
}

export function wholeNumber(least: number, most: number, hint: string): z.ZodType<number> {
  const message = `must be a whole number from ${least} to ${most}`;
  return z.int(message).min(least, message).max(most, message).meta({ hint });
}

/** Returns the schema of a non-empty list without duplicates. */
export function distinct<T extends string>(
  entry: z.ZodType<T>,
  { most, of, example }: { most: number; of: string; example: string },
): z.ZodType<readonly T[]> {
  const message = `must be a list of 1 to ${most} ${of}`;
  return z
    .array(entry, message)
    .min(1, message)
    .max(most, message)
    .superRefine((entries, context) => {
      for (const [index, value] of entries.entries()) {
        if (entries.indexOf(value) < index) {
          const params = { hint: "keep one of the two" };
          context.addIssue({
            code: "custom",
            path: [index],
            message: "is already in the list",
            params,
          });
        }
      }
    })
    .meta({ hint: `write ${example}`, uniqueItems: true });
}

export const commonOptions = {
  type: z.string("must be text"),
  required: flag.optional().describe("Whether every record must have a value. Default: false."),
  label: words(255).optional().describe("The field's display name."),
  description: words(10_000).optional().describe("A description of the field for people."),
  help: words(1_000).optional().describe("Shown below the field's input."),
  placeholder: words(255).optional().describe("Shown in the field's input while it is empty."),
  was: z
    .string("must be a field's name")
    .regex(fieldNamePattern, "must be a field's name, in camelCase")
    .meta({ hint: "write the name that the field had before, such as unitPrice" })
    .optional()
    .describe("The field's former name: the migration renames the column and keeps its data."),
  column: columnName().describe(
    "The name of the field's column, as the database spells it. Default: the field's name in snake_case.",
  ),
  readOnly: flag
    .optional()
    .describe(
      "Whether only the database writes the field; a request that sets it is refused. Default: false.",
    ),
  columnDefault: flag
    .optional()
    .describe(
      "Whether a create may omit the field because its column has a default in the database, which applies then. Default: false.",
    ),
  /** Read in a separate file: `descriptor/access/access.ts`. */
  access: z
    .unknown()
    .meta({ hint: "write { read: [admin], write: [admin] }" })
    .optional()
    .describe("Who may read and write the field."),
};

/** Only the options that fields of every kind have. */
export const commonShape = z.object(commonOptions);
