import { later } from "../../../loading/index.js";
import { loadRules } from "./load-rules.js";

// Few requests make one, and every start would load it.
const loadQrCodes = later(() => import("qrcode"));

/** The secret that an authenticator app is set up with, in three forms. */
export interface Provisioning {
  /** Base32, for typing it in. */
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
  const { toString: toQrCode } = await loadQrCodes();
  const svg = await toQrCode(uri, { type: "svg", errorCorrectionLevel: "M", width: 240 });
  const qrCode = `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
  return { secret, uri, qrCode };
}

/** The URI in Google Authenticator's "Key URI Format", which other apps read as well. */
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
