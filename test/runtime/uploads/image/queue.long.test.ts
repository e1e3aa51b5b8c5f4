import { afterAll, beforeAll, expect, test } from "vitest";
import { Refusal } from "../../../../runtime/errors/index.js";
import { processImage } from "../../../../runtime/uploads/image/process.js";
import { headerInTurn, inTurn } from "../../../../runtime/uploads/image/queue.js";
import { pictureFolder, plain, profileOf } from "../../../support/pictures/pictures.js";

let folder: Awaited<ReturnType<typeof pictureFolder>>;

beforeAll(async () => {
  folder = await pictureFolder();
});
afterAll(() => folder.remove());

test("part of a flood of pictures is refused, and every other one is processed", async () => {
  const path = await folder.save(plain(300, 200, "red").png());
  const profile = profileOf({ width: 100, height: 100, fit: "contain" });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 400 }, () => processImage(path, profile)),
  );
  const refused = outcomes.filter((outcome) => outcome.status === "rejected");
  expect(refused.length).toBeGreaterThan(0);
  // 256 find room; on a busy machine some of them wait too long.
  expect(refused.length).toBeLessThan(400 - 100);
  for (const { reason } of refused) {
    expect(reason).toEqual(new Refusal("UNAVAILABLE", { retryAfter: 1 }));
  }
  await expect(processImage(path, profile)).resolves.toBeDefined();
});

test("pictures that need much memory are processed one by one, and others concurrently", async () => {
  let [greedy, most] = [0, 0];
  const ends: (() => void)[] = [];
  const work = async () => {
    greedy += 1;
    most = Math.max(most, greedy);
    await new Promise<void>((end) => ends.push(end));
    greedy -= 1;
  };
  const large = [1, 2, 3].map(() => inTurn(1_000_000_000, work));
  await expect(inTurn(1_000_000, async () => "small")).resolves.toBe("small");
  for (let count = 0; count < 3; count += 1) {
    await expect.poll(() => ends.length).toBe(1);
    ends.shift()?.();
  }
  await Promise.all(large);
  expect(most).toBe(1);
});

test("headers are read one by one, while pictures are processed, and too many are refused", async () => {
  const ends: (() => void)[] = [];
  const work = () => new Promise<void>((end) => ends.push(end));
  const busy = [1, 2, 3, 4].map(() => inTurn(1, work));
  await expect.poll(() => ends.length).toBeGreaterThan(0);
  const atWork = ends.length;
  const headers = Array.from({ length: 300 }, () => headerInTurn(work).catch((error) => error));
  await expect.poll(() => ends.length).toBe(atWork + 1);
  while (ends.length > 0) {
    ends.shift()?.();
    await new Promise(setImmediate);
  }
  await Promise.all(busy);
  const outcomes = await Promise.all(headers);
  expect(outcomes.filter((outcome) => outcome instanceof Refusal).length).toBe(300 - 257);
});
