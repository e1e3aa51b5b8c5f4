import type { Services } from "../../own-code/index.js";
import { type FileDetails, servedPath } from "../objects/details.js";
import type { UploadField } from "../objects/fields.js";
import { keyOfUrl } from "../storage/key.js";
import { endOf, signedQuery } from "./signature.js";

type SigningServices = Pick<Services, "config" | "clock">;

/** The time at which URLs signed now expire. */
export function presentEnd({ config, clock }: SigningServices): number {
  return endOf(clock.now(), config.uploads.privateSeconds);
}

const served = servedPath("");

/** Matches a `url` member of the details; inside a string its quotes would be escaped. */
const address = /"url":\s?"([^"\\]+)"/g;

/** The details of a private file as JSON, with URLs that give access to the file without a token until `until`. */
export function signedDetails(
  { config }: Pick<SigningServices, "config">,
  details: string,
  until: number,
): string {
  return details.replace(address, (member, url: string) => {
    // Most are URLs of this server.
    const key = url.startsWith(served) ? url.slice(served.length) : keyOfUrl(url);
    return key === null ? member : `"url":"${servedPath(key)}${signedQuery(config, key, until)}"`;
  });
}

/** The details of a file of this field as JSON, for its uploader. */
export function shownDetails(
  services: SigningServices,
  { isPrivate }: Pick<UploadField, "isPrivate">,
  details: FileDetails,
): string {
  const json = JSON.stringify(details);
  return isPrivate === true ? signedDetails(services, json, presentEnd(services)) : json;
}
