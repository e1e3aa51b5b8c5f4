import { z } from "zod";

/** A mailed code as somebody typed it: any text may be tried, and blanks in it say nothing. */
export const mailedCode = z
  .string({ error: "Must be text" })
  .transform((text) => text.replaceAll(/\s/g, ""));

/** The token of a mailed link: any text may be tried. */
export const linkToken = z.string({ error: "Must be text" });
