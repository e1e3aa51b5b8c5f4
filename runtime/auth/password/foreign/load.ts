import { later } from "../../../loading/index.js";

// A start does not load password libraries.
export const loadArgon2 = later(() => import("argon2"));
export const loadBcrypt = later(() => import("bcrypt"));
