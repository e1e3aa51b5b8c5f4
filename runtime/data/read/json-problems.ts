import { maxJsonLevels } from "../../values/json.js";

/** Messages about a record of a JSON file. */
export const jsonProblems = {
  noJson: "This is not JSON",
  deep: `This record is nested more than ${maxJsonLevels} levels deep`,
  noObject: "A record must be an object",
} as const;
