import { later } from "../../../loading/index.js";

/** Loads the rules of codes and their library on first use, not at startup. */
export const loadRules = later(() => import("./rules.js"));
