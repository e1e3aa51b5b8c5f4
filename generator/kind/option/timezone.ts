import { isTimezone } from "../../../runtime/values/timezone/name.js";
import { unicode } from "./options.js";

/** The IANA name of a time zone. */
export const timezoneName = unicode
  .refine(isTimezone, "must be an IANA time zone")
  .meta({ hint: "for example timezone: Europe/Oslo" });
