import { afterAll, inject } from "vitest";
import { tellJudged } from "./judged-count.js";

// Vitest runs this before each file.
afterAll(() => tellJudged(inject("runFolder")));
