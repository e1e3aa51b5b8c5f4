import { isPublicRule } from "../../../runtime/values/access-rule.js";
import type { Problem } from "../../../runtime/values/problem.js";
import type { Descriptor } from "../../descriptor/descriptor.js";
import { problemOf } from "../../descriptor/source.js";
import { rulesOf } from "./access.js";

/** Returns problems with `cache` on resources that cannot be read without a token. */
export function cacheProblems(descriptors: readonly Descriptor[]): readonly Problem[] {
  return descriptors.flatMap(({ source, cache, access }) => {
    const { list, get } = rulesOf(access);
    if (cache === null || isPublicRule(list) || isPublicRule(get)) return [];
    const message = '"cache" is for public answers, and neither list nor get is public';
    const hint = "write access: { read: public }, or remove cache";
    return [problemOf(source, { path: ["cache"], at: "key", message, hint })];
  });
}
