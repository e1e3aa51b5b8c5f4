import type { BuiltInProfileName } from "../../values/files/profile-names.js";
import type { ImageProfile } from "./config.js";

/** The profiles of every app; a configured profile of the same name replaces the built-in one completely. */
export const builtInProfiles: Readonly<Record<BuiltInProfileName, ImageProfile>> = {
  default: { width: 2000, height: 2000, fit: "contain", renditions: {} },
  product: {
    width: 1600,
    height: 1600,
    fit: "contain",
    renditions: { thumb: { width: 320, height: 320, fit: "contain" } },
  },
  avatar: {
    width: 400,
    height: 400,
    fit: "cover",
    renditions: { thumb: { width: 80, height: 80, fit: "cover" } },
  },
  cover: {
    width: 1600,
    height: 900,
    fit: "cover",
    renditions: { thumb: { width: 480, height: 270, fit: "cover" } },
  },
};
