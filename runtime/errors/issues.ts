/** One mistake in a body (`path`: the key). */
export interface BodyIssue {
  readonly path: string;
  readonly message: string;
}

/** One mistake in the query string (`param`: as sent). */
export interface ParameterIssue {
  readonly param: string;
  readonly message: string;
}

export type Issue = BodyIssue | ParameterIssue;

/** An answer lists so many mistakes: without an end to them, anybody could ask for megabytes of them. */
export const mostIssues = 100;

/** The first hundred, and one that says how many more there are; `unlisted` are not among `issues`. */
export function boundIssues(issues: readonly Issue[], unlisted: number): readonly Issue[] {
  const more = issues.length + unlisted - mostIssues;
  const [first] = issues;
  if (more <= 0 || first === undefined) return issues;
  const message =
    more === 1 ? "1 more mistake is not listed" : `${more} more mistakes are not listed`;
  const last = "path" in first ? { path: "", message } : { param: "", message };
  return [...issues.slice(0, mostIssues), last];
}
