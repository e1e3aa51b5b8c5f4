import type { DescriptorIssue } from "../../descriptor/source.js";

/** An issue with the value of a key of `owner`. */
export function issueAt(key: string, message: string, hint: string): DescriptorIssue {
  return { path: ["owner", key], at: "value", message, hint };
}
