import { setTimeout as sleep } from "node:timers/promises";
import { execa } from "execa";
import { oneByOne } from "./cases.js";
import type { Check } from "./check.js";
import { headersOf } from "./compare.js";
import { type Figures, load } from "./load.js";
import { probe } from "./probe.js";
import { rounds } from "./rounds.js";
import { reference, type Server } from "./servers.js";
import type { Shop } from "./stage.js";
import { millisecondsText, rateText, ratioText } from "./table.js";

/** Times the rounds of a plan: at sixty sign-ins a second one round differs by a tenth from the next. */
const moreRounds = 3;

/** A sign-in is little more than the password's hash, which is meant to be slow. */
export const passwordSignIn: Check = {
  name: "password sign-in",
  async run({ plan, shop }) {
    const opened = await shop(10_000);
    const { seconds } = plan;
    const { emitted, e } = opened;
    // Sixty a second compile nothing in one second.
    for (const server of [emitted, e]) await signIns(opened, 10 * plan.warmUp, server);
    const [ours, ofE, bare] = await rounds(
      moreRounds * plan.rounds,
      [
        () => signIns(opened, seconds, emitted),
        () => signIns(opened, seconds, e),
        () => bareArgon2(opened, seconds),
      ],
      (run) => run(),
    );
    const ratio = (ours?.rate ?? 0) / (ofE?.rate ?? 0);
    const ofBare = ratioText((ours?.rate ?? 0) / (bare?.rate ?? 0));
    const measured = `${ratioText(ratio)} × E, ${ofBare} × bare Argon2 (${rateText(ours?.rate ?? 0)} a second)`;
    return [{ name: passwordSignIn.name, measured, target: "≥ 0.95 × E", met: ratio >= 0.95 }];
  },
};

/** Whoever is signed in must hardly notice that others sign in. */
export const signInFlood: Check = {
  name: "GET one's p99 while 32 sign in at once",
  async run({ plan, shop }) {
    const opened = await shop(10_000);
    await probeOne(opened, plan.warmUp);
    const [idle, flooded] = await rounds(
      moreRounds * plan.rounds,
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
  const flood = signIns(shop, seconds + 1, shop.emitted);
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
async function signIns(
  { seeded }: Pick<Shop, "seeded">,
  seconds: number,
  server: Pick<Server, "url">,
): Promise<Figures> {
  const { addresses, password } = seeded.accounts;
  const figures = await load({
    url: server.url,
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
