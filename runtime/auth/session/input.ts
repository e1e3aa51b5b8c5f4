import { label } from "../account/input.js";

/** What a sign-in may call its device; left out and null both mean nothing. */
export const deviceName = label.nullish().transform((name) => name ?? null);
