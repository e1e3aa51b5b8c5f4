/** Names of the image profiles that every app has. */
export const builtInProfileNames = ["default", "product", "avatar", "cover"] as const;

export type BuiltInProfileName = (typeof builtInProfileNames)[number];
