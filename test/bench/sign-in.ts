import { setTimeout as sleep } from "node:timers/promises";
import { execa } from "execa";
import { oneByOne } from "./cases.js";
import type { Check } from "./check.js";
import { headersOf } from "./compare.js";
import { type Figures, load } from "./load.js";
import { probe } from "./probe.js";
import { rounds } from "./rounds.js";
import { reference } from "./servers.js";
import type { Shop } from "./stage.js";
import { millisecondsText, rateText, ratioText } from "./table.js";

/** A sign-in is little more than the password's hash, which is meant to be slow. */
export const passwordSignIn: Check = {
  name: "password sign-in",
  async run({ plan, shop }) {
    const opened = await shop(10_000);
    const { seconds } = plan;
    await signIns(opened, plan.warmUp);
    const [ours, bare] = await rounds(
      plan.rounds,
      [() => signIns(opened, seconds), () => bareArgon2(opened, seconds)],
      (run) => run(),
    );
    const ratio = (ours?.rate ?? 0) / (bare?.rate ?? 0);
    const measured = `${ratioText(ratio)} × (${rateText(ours?.rate ?? 0)} a second)`;
    const target = "≥ 0.9 × bare Argon2";
    return [{ name: passwordSignIn.name, measured, target, met: ratio >= 0.9 }];
  },
};

/** Whoever is signed in must hardly notice that others sign in. */
export const signInFlood: Check = {
  name: "GET one's p99 while 32 sign in at once",
  async run({ plan, shop }) {
    const opened = await shop(10_000);
    await probeOne(opened, plan.warmUp);
    const [idle, flooded] = await rounds(
      plan.rounds,
      [() => probeOne(opened, plan.seconds), () => probeInFlood(opened, plan.seconds)],
      (run) => run(),
    );
    const ratio = (flooded?.p99 ?? 0) / (idle?.p99 ?? 0);
    const [before, during] = [idle, flooded].map((one) => millisecondsText(one?.p99 ?? 0));
    const measured = `${ratioText(ratio)} × (${during} ms, idle ${before} ms)`;
    return [{ name: signInFlood.name, measured, target: "≤ 3 × idle", met: ratio <= 3 }];
  },
};

async function probeInFlood(shop: Shop, seconds: number): Promise<Figures> {
  const flood = signIns(shop, seconds + 1);
  await sleep(500);
  const figures = await probeOne(shop, seconds);
  await flood;
  return figures;
}

function probeOne({ seeded, emitted }: Shop, seconds: number): Promise<Figures> {
  const headers = headersOf(seeded);
  return probe({ url: emitted.url, paths: oneByOne(seeded), headers, seconds });
}

let signedIn = 0;

/** Goes round thousands of accounts: an address may be tried ten times a minute. */
async function signIns({ seeded, emitted }: Shop, seconds: number): Promise<Figures> {
  const { addresses, password } = seeded.accounts;
  const figures = await load({
    url: emitted.url,
    method: "POST",
    paths: ["/api/auth/token"],
    headers: { accept: "application/json", "content-type": "application/json" },
    body: () => {
      signedIn += 1;
      return { email: addresses[signedIn % addresses.length], password };
    },
    seconds,
    leastAnswers: 32,
  });
  // The server finishes what waits for its turn although nobody waits for the answer.
  await sleep(1500);
  return figures;
}

async function bareArgon2({ seeded }: Shop, seconds: number): Promise<Figures> {
  const { hash, password } = seeded.accounts;
  const options = ["--hash", hash, "--password", password, "--seconds", String(seconds)];
  const { stdout } = await execa(process.execPath, [reference("argon2"), ...options]);
  return { rate: Number(stdout), p50: 0, p99: 0 };
}
