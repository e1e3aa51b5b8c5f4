import { z } from "zod";
import { maxNameBytes } from "../../../runtime/values/schema/short-name.js";
import { isUnicode } from "../../../runtime/values/text.js";

/** Returns the schema of a column name as the database spells it. */
export function columnName(): z.ZodOptional<z.ZodType<string>> {
  return storedName("column").optional();
}

/**
 * Returns the schema of a table name as the database spells it, with its schema unless that is `public`:
 * `sales.Artist`.
 */
export function tableName(): z.ZodOptional<z.ZodType<string>> {
  return text("table")
    .refine((name) => name.split(".").length <= 2, {
      error: "must be a table's name, or a schema and a table's name, such as sales.Artist",
      params: { hint: "rename it in the database: neither name may have a dot" },
    })
    .refine((name) => name.split(".").every(isShort), shortMessage("table"))
    .refine((name) => !name.startsWith("public."), {
      error: "must not name the schema public",
      params: { hint: "leave out public. before the table" },
    })
    .refine((name) => !/^(?:service|information_schema)[.]|^(?:.+[.])?(?:_|pg_)/.test(name), {
      error: "must not begin with _ or pg_, and not be in a schema of PostgreSQL or service",
      params: { hint: "rename the table, or leave it to the program that made it" },
    })
    .optional();
}

function storedName(what: string): z.ZodType<string> {
  return text(what).refine(isShort, shortMessage(what));
}

function shortMessage(what: string): string {
  return `must be a ${what}'s name of 1 to ${maxNameBytes} bytes`;
}

function isShort(name: string): boolean {
  return name !== "" && Buffer.byteLength(name) <= maxNameBytes;
}

function text(what: string): z.ZodType<string> {
  return z
    .string(shortMessage(what))
    .refine((name) => isUnicode(name) && !/\p{Cc}/u.test(name), {
      error: "must be text without control characters",
      params: { hint: "remove them, or rename it in the database" },
    })
    .meta({
      hint: `write the ${what}'s name as the database spells it, without quotation marks around it`,
    });
}
