import { InvalidArgumentError } from "commander";

const maxLength = 200;
const segment = /^(?:[\w~-][\w.~-]*|:[A-Za-z_]\w*)$/;

/** The path of an app route below `/api`, with a leading slash. */
export function routePath(text: string): string {
  const path = text.replace(/^\//, "");
  const segments = path.split("/");
  if (segments[0] === "api") {
    throw new InvalidArgumentError("Routes are below /api already: write reports/daily.");
  }
  if (path.length <= maxLength && segments.every((one) => segment.test(one))) return `/${path}`;
  throw new InvalidArgumentError("Write a path such as reports/daily or reports/:year.");
}

/** Whether a generated route of one of the resources matches the path. */
export function isGeneratedRoute(path: string, resources: readonly string[]): boolean {
  const [first = "", second, ...others] = path.slice(1).split("/");
  if (first === "_service") return true;
  if (!resources.includes(first) || others.length > 0) return false;
  return second === undefined || /^[:_]/.test(second);
}
