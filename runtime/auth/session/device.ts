import { addressOfClient, type Context, knowsProxySecret } from "../../http/index.js";
import { nameShape } from "../account/input.js";

/** The optional name of a device in a sign-in's body; absent becomes null. */
export const deviceNameShape = nameShape.nullish().transform((name) => name ?? null);

export interface Device {
  /** The name chosen by the owner. */
  readonly name: string | null;
  readonly browser: string | null;
  readonly ipAddress: string | null;
}

/**
 * Returns the device that makes a request. The header that names the browser is trusted only from a dashboard that
 * knows the secret.
 */
export function deviceOf({ request, services }: Context, name: string | null): Device {
  const { config } = services;
  const browser = request.headers["x-service-client-browser"];
  return {
    name,
    browser:
      knowsProxySecret(request, config) && typeof browser === "string" ? browserOf(browser) : null,
    ipAddress: addressOfClient(request, config),
  };
}

function browserOf(header: string): string | null {
  const text = header
    .replaceAll(/\p{Cc}/gu, "")
    .trim()
    .slice(0, 255);
  return text === "" ? null : text;
}
