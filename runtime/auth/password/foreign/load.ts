import { later } from "../../../loading/index.js";

// Password libraries are loaded on first use, not at startup.
export const loadArgon2 = later(() => import("argon2"));
export const loadBcrypt = later(() => import("bcrypt"));
