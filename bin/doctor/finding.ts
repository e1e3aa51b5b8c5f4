/** What a check found: fine, worth knowing, or to be mended. */
export interface Finding {
  readonly check: string;
  readonly state: "ok" | "warning" | "problem";
  readonly found: string;
  /** What to do; null when there is nothing to do. */
  readonly mend: string | null;
}

export function ok(check: string, found: string): Finding {
  return { check, state: "ok", found, mend: null };
}

export function warning(check: string, found: string, mend: string): Finding {
  return { check, state: "warning", found, mend };
}

export function problem(check: string, found: string, mend: string): Finding {
  return { check, state: "problem", found, mend };
}
