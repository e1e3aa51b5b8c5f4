import { toString as toQrCode } from "qrcode";
import { newSecret, settings } from "./rules.js";

/** What an authenticator app is set up with. */
export interface Invitation {
  /** Base32, for typing it in. */
  readonly secret: string;
  /** `otpauth://totp/…`, for apps on the same device. */
  readonly uri: string;
  /** The same as a picture: a `data:` address of an SVG. */
  readonly qrCode: string;
}

/** A new secret, in every form in which an app takes one. */
export async function newInvitation(appName: string, email: string): Promise<Invitation> {
  const secret = newSecret();
  const uri = uriOf({ secret, appName, email });
  const svg = await toQrCode(uri, { type: "svg", errorCorrectionLevel: "M", width: 240 });
  const qrCode = `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
  return { secret, uri, qrCode };
}

/** In the form of Google Authenticator's "Key URI Format", which others read as well. */
function uriOf({
  secret,
  appName,
  email,
}: {
  readonly secret: string;
  readonly appName: string;
  readonly email: string;
}): string {
  const issuer = encodeURIComponent(appName);
  const { algorithm, digits, period } = settings;
  const details = `algorithm=${algorithm.toUpperCase()}&digits=${digits}&period=${period}`;
  return `otpauth://totp/${issuer}:${encodeURIComponent(email)}?secret=${secret}&issuer=${issuer}&${details}`;
}
