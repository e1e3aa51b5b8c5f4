import { type Problem, problemSentence } from "../../values/problem.js";
import type { Finding } from "../report.js";

export function ok(check: string, found: string): Finding {
  return { check, state: "ok", found, fix: null };
}

export function warning(check: string, found: string, fix: string): Finding {
  return { check, state: "warning", found, fix };
}

export function problem(check: string, found: string, fix: string): Finding {
  return { check, state: "problem", found, fix };
}

/** Returns a finding for each problem of the app's files or its environment. */
export function problemFindings(check: string, problems: readonly Problem[]): readonly Finding[] {
  return problems.map((one) => {
    const correction =
      one.file === "environment"
        ? "correct it in the environment, or in .env"
        : `correct line ${one.line} of ${one.file}`;
    return problem(check, problemSentence(one), one.hint ?? correction);
  });
}

/** Returns a finding in the format of `--json`; a warning is ok and has a problem. */
export function toJson({ check, state, found, fix }: Finding): object {
  return { check, ok: state !== "problem", problem: state === "ok" ? null : found, fix };
}
