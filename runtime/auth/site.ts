import { z } from "zod";
import { type Config, defaultSite } from "../config/index.js";
import { text } from "./input.js";

/** A front end of the app: emails link to it, and passkeys are bound to its host. */
export interface Site {
  readonly name: string;
  /**
   * The site's origin, always from the configuration; null if none is configured for the default
   * site.
   */
  readonly webUrl: string | null;
}

/** Returns the configured site of that name; null if there is none. */
export function findSite(
  { webUrl, auth }: Pick<Config, "webUrl" | "auth">,
  name: string,
): Site | null {
  if (name === defaultSite) return { name, webUrl };
  const found = auth.sites.find((one) => one.name === name);
  return found === undefined ? null : { name, webUrl: found.url };
}

/** The `site` of a body: the name of a configured site; if omitted, the default site. */
export function siteShape(config: Pick<Config, "webUrl" | "auth">) {
  return text.default(defaultSite).transform((name, { addIssue }): Site => {
    const site = findSite(config, name);
    if (site !== null) return site;
    const names = [defaultSite, ...config.auth.sites.map((one) => one.name)];
    addIssue({ code: "custom", message: `Must be one of ${names.join(", ")}` });
    return z.NEVER;
  });
}
