import { z } from "zod";
import { mustBeName, providerName } from "./providers.js";
import { mapOfSettings } from "./section.js";
import { origin } from "./values.js";

/** The name of the front end at `SERVICE_WEB_URL`. */
export const defaultSite = "default";

const siteName = z
  .string()
  .regex(new RegExp(`^(?!${defaultSite}$)${providerName.source.slice(1)}`), {
    error: ({ input }) =>
      input === defaultSite ? "is the name of the site at SERVICE_WEB_URL" : mustBeName,
  });

/** `auth.sites` of `service.yaml`, by name. */
export const sitesShape = z
  .preprocess((value) => value ?? {}, z.record(siteName, origin, mapOfSettings))
  .describe(
    "Front ends besides SERVICE_WEB_URL, by name: emails link to them, and they may call the API.",
  );
