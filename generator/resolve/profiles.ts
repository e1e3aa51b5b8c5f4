import { builtInProfileNames } from "../../runtime/values/files/profile-names.js";
import { didYouMean } from "../../runtime/values/nearest.js";
import type { Problem } from "../../runtime/values/problem.js";
import { listWordsBriefly } from "../../runtime/values/text.js";
import type { Descriptor } from "../descriptor/descriptor.js";
import { problemOf } from "../descriptor/source.js";

/**
 * Returns problems with image fields whose profile is neither built in nor defined by the app; empty if the app's
 * profiles are unknown (null).
 */
export function profileProblems(
  descriptors: readonly Descriptor[],
  own: readonly string[] | null,
): readonly Problem[] {
  if (own === null) return [];
  const known = [...new Set([...builtInProfileNames, ...own])];
  return descriptors.flatMap(({ source, fields }) =>
    fields.flatMap(({ name, kind, options }) => {
      const profile = kind?.profile(options) ?? null;
      if (profile === null || known.includes(profile)) {
        return [];
      }
      const message = `there is no image profile "${profile}"`;
      const all = `the profiles are ${listWordsBriefly(known)}`;
      const hint = didYouMean(profile, known) ?? `${all}; add others to service.yaml`;
      return [problemOf(source, { path: ["fields", name, "profile"], at: "value", message, hint })];
    }),
  );
}
