/** Transports of an authenticator (WebAuthn §5.8.4). Browsers ignore other values. */
export const transports = ["ble", "hybrid", "internal", "nfc", "smart-card", "usb"] as const;
export type Transport = (typeof transports)[number];

export function isTransport(word: string): word is Transport {
  return (transports as readonly string[]).includes(word);
}
