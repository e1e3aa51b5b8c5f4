import type { Descriptor } from "../descriptor/descriptor.js";
import { problemOf } from "../descriptor/source.js";
import { didYouMean, listed } from "../hint.js";
import type { Problem } from "../problem.js";

/** The image profiles that every app has. */
export const builtInProfiles = ["default", "product", "avatar", "cover"] as const;

/**
 * Image fields whose profile is neither built in nor one of the app's own. None is, where those are null:
 * nobody can tell what they are called.
 */
export function profileProblems(
  descriptors: readonly Descriptor[],
  own: readonly string[] | null,
): readonly Problem[] {
  if (own === null) return [];
  const known = [...new Set([...builtInProfiles, ...own])];
  return descriptors.flatMap(({ source, fields }) =>
    fields.flatMap(({ name, kind, options: { profile } }) => {
      if (kind?.name !== "image" || typeof profile !== "string" || known.includes(profile)) {
        return [];
      }
      const message = `there is no image profile "${profile}"`;
      const all = `the profiles are ${listed(known.slice(0, 20))}`;
      const hint = didYouMean(profile, known) ?? `${all}; add others to service.yaml`;
      return [problemOf(source, { path: ["fields", name, "profile"], at: "value", message, hint })];
    }),
  );
}
