const longestPath = 2000;

/**
 * Whether a text can only lead to the dashboard itself. Browsers take `//host` for another site, a
 * backslash for a slash, and leave tabs and line breaks out.
 */
export function isDashboardPath(text: string): boolean {
  return (
    /^\/(?!\/)/.test(text) && !/[\\\p{Cc}\p{Cs}]/u.test(text) && [...text].length <= longestPath
  );
}
