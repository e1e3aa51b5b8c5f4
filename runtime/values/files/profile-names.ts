/** The image profiles that every app has, by their names. */
export const builtInProfileNames = ["default", "product", "avatar", "cover"] as const;

export type BuiltInProfileName = (typeof builtInProfileNames)[number];
