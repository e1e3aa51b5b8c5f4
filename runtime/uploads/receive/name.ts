import { refuse } from "../../errors/index.js";
import { queryPairs } from "../../http/index.js";

/** Maximum number of code points of a file name. */
const maxCharacters = 255;

/** The query parameter `name` of an upload: the file name, stored exactly as sent. 422 if it is missing or invalid. */
export function readName(query: string): string {
  const [sent, ...others] = queryPairs(query).filter((pair) => pair.name === "name");
  if (sent === undefined) return refuseName("A value is required");
  if (others.length > 0) return refuseName("Sent more than once");
  const name = sent.value;
  if (name === null) return refuseName("Must be percent-encoded UTF-8");
  return checkName(name);
}

/** 400 for query parameters that an upload does not accept. */
export function refuseOthers(query: string): void {
  const issues = queryPairs(query)
    .filter(({ name }) => name !== "name")
    .map(({ name, pair }) => ({ param: name ?? pair, message: "Unknown parameter" }));
  if (issues.length > 0) refuse("BAD_PARAMETERS", { issues });
}

/** Returns the name of a file if it is valid; otherwise 422. */
export function checkName(name: string): string {
  if (name === "") return refuseName("A value is required");
  if ([...name].length > maxCharacters) return refuseName(`At most ${maxCharacters} characters`);
  if (/\p{Cc}/u.test(name)) return refuseName("Must have no control characters");
  return name;
}

export function refuseName(message: string): never {
  return refuse("INVALID", { issues: [{ path: "name", message }] });
}
