import type { InputIssue, JobInput } from "../../own-code/index.js";

/** Bytes of JSON: a job names records rather than carrying them. */
export const maxInputBytes = 64 * 1024;

/** A sound input. */
export interface Checked {
  /** As it is stored: what was given, not what the schema makes of it. */
  readonly json: string;
  readonly value: unknown;
}

/** Checks an input in the form in which it is stored, in which a job will get it. */
export async function checkInput(
  schema: JobInput,
  input: unknown,
): Promise<Checked | { readonly problem: string }> {
  const json = jsonOf(input);
  if (json === null) return { problem: "cannot be written as JSON" };
  if (Buffer.byteLength(json) > maxInputBytes) {
    return { problem: `has more than ${maxInputBytes / 1024} kB of JSON` };
  }
  const judged = await schema["~standard"].validate(JSON.parse(json));
  if (judged.issues !== undefined) return { problem: judged.issues.map(sentenceOf).join("; ") };
  return { json, value: judged.value };
}

function jsonOf(input: unknown): string | null {
  try {
    return JSON.stringify(input) ?? null;
  } catch {
    return null;
  }
}

function sentenceOf({ path = [], message }: InputIssue): string {
  const keys = path.map((part) => String(typeof part === "object" ? part.key : part));
  return keys.length === 0 ? message : `"${keys.join(".")}": ${message}`;
}
