import { z } from "zod";

/** Any text. Passwords, tokens and challenges may be tried in every form; what they are worth is judged later. */
export const text = z.string({ error: "Must be text" });

/** A code as somebody typed or pasted it: blanks in it say nothing. */
export const typedCode = text.transform((typed) => typed.replaceAll(/\s/g, ""));
