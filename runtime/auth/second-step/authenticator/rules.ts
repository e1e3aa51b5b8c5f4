import { timingSafeEqual } from "node:crypto";
import { generateSecret, generateSync } from "otplib";

/** What every authenticator app understands (RFC 6238, and what such apps assume). */
export const settings = { algorithm: "sha1", digits: 6, period: 30 } as const;

/** A new authenticator's secret: 160 bits (RFC 4226 §4), base32 without padding. */
export function newSecret(): string {
  return generateSecret({ length: 20 });
}

/**
 * The thirty seconds, counted from 1970, that a code belongs to; null for a wrong one. A phone's clock may
 * be one step off; of two that have the same code, which happens, the newer one.
 */
export function stepOf(secret: string, code: string, now: Date): number | null {
  const current = Math.floor(now.getTime() / 1000 / settings.period);
  const steps = [current + 1, current, current - 1];
  // All three are made and compared, so that the time taken does not tell which one it was.
  const matches = steps.filter((step) => isSame(codeAt(secret, step), code));
  return matches[0] ?? null;
}

function codeAt(secret: string, step: number): string {
  return generateSync({ ...settings, secret, epoch: step * settings.period });
}

function isSame(expected: string, code: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(code)];
  return one.length === other.length && timingSafeEqual(one, other);
}
