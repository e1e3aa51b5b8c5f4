import { z } from "zod";
import { maxNameBytes } from "../../../runtime/values/schema/short-name.js";
import { isUnicode } from "../../../runtime/values/text.js";

/** The name of a column as the database spells it. */
export function columnName(): z.ZodOptional<z.ZodType<string>> {
  return storedName("column").optional();
}

/** The name of a table in the schema `public`, as the database spells it. */
export function tableName(): z.ZodOptional<z.ZodType<string>> {
  return storedName("table")
    .refine((name) => !name.includes("."), {
      error: "must be a table of the schema public",
      params: { hint: "move the table to the schema public; other schemas are not supported yet" },
    })
    .refine((name) => !/^(?:_|pg_)/.test(name), {
      error: "must not begin with _ or pg_",
      params: { hint: "rename the table" },
    })
    .optional();
}

function storedName(what: string): z.ZodType<string> {
  const message = `must be a ${what}'s name of 1 to ${maxNameBytes} bytes`;
  return z
    .string(message)
    .refine((name) => name !== "" && Buffer.byteLength(name) <= maxNameBytes, message)
    .refine((name) => isUnicode(name) && !/\p{Cc}/u.test(name), {
      error: "must be text without control characters",
      params: { hint: "remove them, or rename it in the database" },
    })
    .meta({
      hint: `write the ${what}'s name as the database spells it, without quotation marks around it`,
    });
}
