import { findDescriptors } from "../../../generator/descriptor/find.js";
import { readDescriptors } from "../../../generator/descriptor/read.js";
import { kindOf } from "../../../generator/kind/kinds.js";
import { resolveModel } from "../../../generator/resolve/resolve.js";
import { readProfileNames } from "../../../runtime/config/index.js";
import type { ImageField } from "../../../runtime/uploads/index.js";
import type { Problem } from "../../../runtime/values/problem.js";

/** An account's picture belongs to every app. */
const avatar: ImageField = { resource: "users", field: "avatar", profile: "avatar" };

/** Every image field of an app; none where its descriptors have a problem, such as an unknown profile. */
export function imageFields(root: string): {
  readonly fields: readonly ImageField[];
  readonly problems: readonly Problem[];
} {
  const { model, problems } = resolveModel(
    readDescriptors(findDescriptors(root)),
    readProfileNames(root),
    // Renames in migrations do not matter here.
    () => true,
  );
  if (model === null) return { fields: [], problems };
  const described = model.resources.flatMap((resource) =>
    resource.fields.flatMap((field): ImageField[] => {
      const profile = kindOf(field).profile({ ...field });
      return profile === null ? [] : [{ resource: resource.name, field: field.name, profile }];
    }),
  );
  return { fields: [...described, avatar], problems: [] };
}
