import type { InputIssue, JobInput } from "../../own-code/index.js";

/** Maximum size of an input in bytes of JSON: jobs should refer to records instead of containing them. */
export const maxInputBytes = 64 * 1024;

/** An input that has been validated. */
export interface Checked {
  /** The stored JSON: the given input, not the output of the schema. */
  readonly json: string;
  readonly value: unknown;
}

/** Validates an input after a round trip through JSON, in the form in which the job will receive it. */
export async function checkInput(
  schema: JobInput,
  input: unknown,
): Promise<Checked | { readonly problem: string }> {
  const json = jsonOf(input);
  if (json === null) return { problem: "cannot be written as JSON" };
  if (Buffer.byteLength(json) > maxInputBytes) {
    return { problem: `is larger than ${maxInputBytes / 1024} kB as JSON` };
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
