import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { NamedProfile } from "../../runtime/uploads/image/process.js";
import { pictureFolder, plain, profileOf } from "../support/pictures/pictures.js";

const built = fileURLToPath(
  new URL("../../dist/runtime/uploads/image/process.js", import.meta.url),
);
const thumb = { width: 320, height: 320, fit: "contain" } as const;
let folder: Awaited<ReturnType<typeof pictureFolder>>;

beforeAll(async () => {
  folder = await pictureFolder();
});
afterAll(() => folder.remove());

/** By how many megabytes a process of its own grows that processes the picture so often at once. */
async function growth(path: string, profile: NamedProfile, times: number): Promise<number> {
  const program = `
    const { processImage } = await import(process.argv[1]);
    const [path, profile, times] = JSON.parse(process.argv[2]);
    const before = process.resourceUsage().maxRSS;
    await Promise.all(Array.from({ length: times }, () => processImage(path, profile)));
    console.log((process.resourceUsage().maxRSS - before) / 1024);
  `;
  const given = JSON.stringify([path, profile, times]);
  const { stdout } = await execa(process.execPath, [
    ...["--input-type=module", "--eval", program],
    ...[built, given],
  ]);
  return Number(stdout);
}

// What showed the whole of it in the scale of its middle would take 250 MB more.
test("a very long picture needs no more memory than reading it", async () => {
  const path = await folder.save(plain(65_535, 1500, "red").removeAlpha().png());
  const profile = profileOf({ width: 1600, height: 900, fit: "cover" }, thumb);
  expect(await growth(path, profile, 1)).toBeLessThan(500);
});
