import { later } from "../../../loading/index.js";

/** Loads the rules of codes with their library, which the start does not load. */
export const loadRules = later(() => import("./rules.js"));
