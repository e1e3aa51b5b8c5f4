import type { ImageField } from "../../uploads/index.js";
import { describedResources } from "../app/generated.js";

/** Every app has profile pictures. */
const avatar: ImageField = { resource: "users", field: "avatar", profile: "avatar" };

export function imageFields(root: string): readonly ImageField[] {
  const described = describedResources(root).flatMap(({ name: resource, fields }) =>
    fields.flatMap(({ name: field, profile }) =>
      profile === undefined ? [] : [{ resource, field, profile }],
    ),
  );
  return [...described, avatar];
}
