/** A mistake in a body; `path` is the key. */
export interface BodyIssue {
  /** The index of the operation in a batch. */
  readonly index?: number;
  readonly path: string;
  readonly message: string;
}

/** A mistake in the query string; `param` is the parameter's name as sent. */
export interface ParameterIssue {
  readonly param: string;
  readonly message: string;
}

/** A mistake in a body or in the query string. */
export type Issue = BodyIssue | ParameterIssue;

/** Maximum number of issues in a response: otherwise, callers could request megabytes of them. */
export const maxIssues = 100;

/**
 * Returns the first 100 issues, and one with the number of the remaining ones; `unlisted` counts those not in `issues`.
 */
export function boundIssues(issues: readonly Issue[], unlisted: number): readonly Issue[] {
  const more = issues.length + unlisted - maxIssues;
  const [first] = issues;
  if (more <= 0 || first === undefined) return issues;
  const message =
    more === 1 ? "1 more mistake is not listed" : `${more} more mistakes are not listed`;
  const last = "path" in first ? { ...first, path: "", message } : { param: "", message };
  return [...issues.slice(0, maxIssues), last];
}
