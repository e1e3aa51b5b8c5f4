import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import argon2 from "argon2";

/**
 * Bare Argon2 without a server: verifies one password again and again, as many at once as the server
 * does, and prints how many a second. The hash names its own cost, so the work is the same.
 */
const { values: options } = parseArgs({
  options: { hash: { type: "string" }, password: { type: "string" }, seconds: { type: "string" } },
});
const { hash = "", password = "" } = options;

async function verifiedPerSecond(seconds: number): Promise<number> {
  const began = performance.now();
  let verified = 0;
  async function verifyOn(): Promise<void> {
    while (performance.now() - began < seconds * 1000) {
      if (!(await argon2.verify(hash, password))) throw new Error("The password is not the hash's");
      verified += 1;
    }
  }
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, verifyOn));
  return (verified * 1000) / (performance.now() - began);
}

// The first ones start libuv's threads.
await verifiedPerSecond(0.2);
process.stdout.write(String(await verifiedPerSecond(Number(options.seconds))));
