import argon2 from "argon2";
import { isLong } from "../searches.js";
import { verifyOnce } from "./verify-once.js";

// Vitest runs this before each file. The long run and timings compare passwords anew.
if (!isLong && process.env.TIMED === undefined) argon2.verify = verifyOnce;
