import { later } from "../../../loading/index.js";
import { loadRules } from "./load-rules.js";

// Loaded on first use: few requests need a QR code.
const loadQrCodes = later(() => import("uqr"));

/** The secret for an authenticator app, in three forms. */
export interface Provisioning {
  /** Base32, for typing. */
  readonly secret: string;
  /** `otpauth://totp/…`, for apps on the same device. */
  readonly uri: string;
  /** The URI as a QR code: a `data:` URL of an SVG. */
  readonly qrCode: string;
}

/** Makes a secret, in every form that apps accept. */
export async function newProvisioning(appName: string, email: string): Promise<Provisioning> {
  const { newSecret, totpSettings } = await loadRules();
  const secret = newSecret();
  const uri = uriOf({ secret, appName, email, ...totpSettings });
  const { encode } = await loadQrCodes();
  // QR code readers need a border of four modules.
  const { data: modules } = encode(uri, { ecc: "M", border: 4 });
  const qrCode = `data:image/svg+xml;base64,${Buffer.from(svgOf(modules)).toString("base64")}`;
  return { secret, uri, qrCode };
}

/** Returns a square picture with a stroke for each run of dark modules in a row. */
function svgOf(modules: readonly (readonly boolean[])[]): string {
  const strokes = modules.flatMap((row, y) => {
    const line = row.map((isDark) => (isDark ? "#" : " ")).join("");
    return [...line.matchAll(/#+/g)].map(({ index, 0: run }) => `M${index} ${y}.5h${run.length}`);
  });
  const box = `0 0 ${modules.length} ${modules.length}`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="240" viewBox="${box}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${modules.length}v${modules.length}H0z"/>` +
    `<path stroke="#000" d="${strokes.join("")}"/></svg>`
  );
}

/** The URI in Google Authenticator's "Key URI Format", which other apps support as well. */
function uriOf({
  secret,
  appName,
  email,
  algorithm,
  digits,
  period,
}: {
  readonly secret: string;
  readonly appName: string;
  readonly email: string;
  readonly algorithm: string;
  readonly digits: number;
  readonly period: number;
}): string {
  const issuer = encodeURIComponent(appName);
  const details = `algorithm=${algorithm.toUpperCase()}&digits=${digits}&period=${period}`;
  return `otpauth://totp/${issuer}:${encodeURIComponent(email)}?secret=${secret}&issuer=${issuer}&${details}`;
}
