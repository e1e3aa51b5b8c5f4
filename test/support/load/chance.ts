import { newRandom, type Random } from "../openapi/random.js";

/** Times of faults, the same for the same `FAULT_SEED`. A new seed is printed with each file's first use. */
export function faultChance(file: string): Random {
  const seed = Number(process.env.FAULT_SEED ?? Date.now() % 2 ** 31);
  process.stderr.write(`${file}: FAULT_SEED=${seed}\n`);
  return newRandom(seed);
}
