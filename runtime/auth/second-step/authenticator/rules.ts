import { timingSafeEqual } from "node:crypto";
import { generateSecret, generateSync } from "otplib";

/** The settings that every authenticator app supports (RFC 6238). */
export const totpSettings = { algorithm: "sha1", digits: 6, period: 30 } as const;

/** Makes an authenticator's secret: 160 bits (RFC 4226 §4), base32 without padding. */
export function newSecret(): string {
  return generateSecret({ length: 20 });
}

/**
 * Returns the time step of a code (RFC 6238: 30-second periods since 1970); null for a wrong code. A phone's clock may
 * be one step off. If two steps have the same code, returns the newer one.
 */
export function matchTimeStep(secret: string, code: string, now: Date): number | null {
  const current = Math.floor(now.getTime() / 1000 / totpSettings.period);
  const steps = [current + 1, current, current - 1];
  // All three are generated and compared, so that the time taken does not reveal which one matched.
  const matches = steps.filter((step) => isEqual(codeAt(secret, step), code));
  return matches[0] ?? null;
}

function codeAt(secret: string, step: number): string {
  return generateSync({ ...totpSettings, secret, epoch: step * totpSettings.period });
}

function isEqual(expected: string, code: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(code)];
  return one.length === other.length && timingSafeEqual(one, other);
}
