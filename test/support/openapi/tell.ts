import { afterAll, inject } from "vitest";
import { tellJudged } from "./told.js";

// Vitest runs this before each file.
afterAll(() => tellJudged(inject("runFolder")));
