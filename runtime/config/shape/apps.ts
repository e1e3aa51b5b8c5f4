import { z } from "zod";
import { mapOfSettings } from "./section.js";
import { mustBeText, whole } from "./values.js";

const mustBeHost = "must be a host such as claude.ai, with its port unless that is 443";
const mustBeHosts = "must be any, or a list of hosts such as [claude.ai, chatgpt.com]";

const host = z
  .string({ error: mustBeText })
  .refine(isHost, { error: mustBeHost })
  .meta({ pattern: "^[a-z0-9.-]+(:[0-9]{1,5})?$" });

/** Whether the text is a host exactly as in a parsed https address. */
function isHost(written: string): boolean {
  return URL.canParse(`https://${written}`) && new URL(`https://${written}`).host === written;
}

/** `auth.apps` of `service.yaml`. */
export const appsShape = z
  .strictObject(
    {
      allow: z
        .union([z.literal("any"), z.array(host).min(1, { error: mustBeHosts })], {
          error: allowError,
        })
        .describe(
          "The hosts of the apps that people may connect (an app's client id is a URL on its host); `any`: all hosts.",
        ),
      access_minutes: whole(1, 43_200).default(480).describe("How long an access token works."),
      refresh_days: whole(1, 3650)
        .default(30)
        .describe("How long an app stays connected without being used."),
    },
    mapOfSettings,
  )
  .optional()
  .describe("Apps and assistants that people connect to their account (OAuth 2.1).");

function allowError({ input }: { readonly input?: unknown }): string {
  if (!Array.isArray(input)) return mustBeHosts;
  const wrong = input.find((one) => typeof one !== "string" || !isHost(one));
  return wrong === undefined ? mustBeHosts : `${mustBeHosts}; not ${JSON.stringify(wrong)}`;
}
