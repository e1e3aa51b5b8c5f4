import type { Config } from "../../config/index.js";
import { keyOfUrl } from "../storage/key.js";
import { type FileDetails, objectUrl } from "./details.js";

/** The details with URLs for the objects' current location. */
export function withAddresses(
  config: Pick<Config, "uploads">,
  { details, isPrivate }: { readonly details: FileDetails; readonly isPrivate: boolean },
): FileDetails {
  const renditions = Object.entries(details.renditions).map(([name, rendition]) => {
    const key = keyOfUrl(rendition.url);
    const url = key === null ? rendition.url : objectUrl(config, { key, isPrivate });
    return [name, { ...rendition, url }] as const;
  });
  const url = objectUrl(config, { key: details.key, isPrivate });
  return { ...details, url, renditions: Object.fromEntries(renditions) };
}
