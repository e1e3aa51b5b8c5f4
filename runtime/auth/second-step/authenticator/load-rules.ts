import { later } from "../../../loading/index.js";

/** The rules of codes, with the library that a start does not load. */
export const loadRules = later(() => import("./rules.js"));
