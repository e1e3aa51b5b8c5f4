import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { StorageError } from "../../../runtime/uploads/storage/storage.js";
import { hasSwift } from "../../support/storage/s3.js";
import { failingAfter, headers, MiB, newKey, pieces, read, someBytes } from "./bytes.js";
import { diskPlace, type Place, s3Place } from "./places.js";

if (!hasSwift) process.stderr.write("python3-swift is not installed: tests of S3 are skipped\n");

describe.each([
  { name: "disk", open: diskPlace, isThere: true },
  { name: "S3", open: s3Place, isThere: hasSwift },
])("storage: $name", ({ open, isThere }) => {
  describe.skipIf(!isThere)("as every storage", () => {
    let place: Place;
    beforeAll(async () => {
      place = await open();
    });
    afterEach(async () => {
      for (const key of await place.contents()) await place.storage.remove(key);
    });
    afterAll(() => place.close());

    test.for([5 * MiB + 1, 0, 1, 65_521, 5 * MiB - 1, 5 * MiB, 15 * MiB, 16 * MiB + 7])(
      "gives back %d bytes unchanged",
      async (length) => {
        const key = newKey();
        const bytes = someBytes(length);
        await place.storage.write(key, pieces(bytes), headers);
        expect((await read(place.storage, key))?.equals(bytes)).toBe(true);
        expect(await place.contents()).toEqual([key]);
      },
    );

    test("stores bytes that are already there, and chunks without any", async () => {
      const key = newKey();
      await place.storage.write(
        key,
        [Buffer.from("a"), Buffer.alloc(0), Buffer.from("b")],
        headers,
      );
      expect((await read(place.storage, key))?.toString()).toBe("ab");
    });

    test.for([
      [5 * MiB - 3, 5 * MiB + 3] as const,
      [0, 0] as const,
      [0, 99] as const,
      [11 * MiB - 1, 11 * MiB - 1] as const,
      [0, 11 * MiB - 1] as const,
    ])("gives the bytes from %d to %d", async ([start, end]) => {
      const key = newKey();
      const bytes = someBytes(11 * MiB);
      await place.storage.write(key, pieces(bytes), headers);
      const found = await read(place.storage, key, { start, end });
      expect(found?.equals(bytes.subarray(start, end + 1))).toBe(true);
    });

    test("has nothing under a key that was not written", async () => {
      expect(await read(place.storage, newKey())).toBeNull();
      expect(await read(place.storage, newKey(), { start: 0, end: 9 })).toBeNull();
    });

    test("removes an object and no other, and accepts a missing one", async () => {
      const key = newKey("a");
      const longer = `${key}.thumb`;
      await place.storage.write(key, [Buffer.from("one")], headers);
      await place.storage.write(longer, [Buffer.from("two")], headers);
      await place.storage.remove(key);
      await place.storage.remove(key);
      await place.storage.remove(newKey());
      expect(await read(place.storage, key)).toBeNull();
      expect(await place.contents()).toEqual([longer]);
    });

    test.for([13 * MiB, 0, 1000, 5 * MiB])(
      "keeps nothing of a source that throws after %d bytes, and passes on its error",
      async (length) => {
        const broken = new Error("the client is gone");
        const write = place.storage.write(newKey(), failingAfter(length, broken), headers);
        await expect(write).rejects.toBe(broken);
        expect(await place.contents()).toEqual([]);
      },
    );

    test("a source's system error is not taken for one of the storage", async () => {
      const full = Object.assign(new Error("ENOSPC: elsewhere"), { code: "ENOSPC" });
      const write = place.storage.write(newKey(), failingAfter(10, full), headers);
      await expect(write).rejects.toBe(full);
    });

    test("one of two writers of a key wins completely", async () => {
      const key = newKey();
      const [one, two] = [someBytes(6 * MiB), someBytes(6 * MiB).reverse()];
      await Promise.all([
        place.storage.write(key, pieces(one), headers),
        place.storage.write(key, pieces(two), headers),
      ]);
      const found = await read(place.storage, key);
      expect([one, two].filter((bytes) => found?.equals(bytes))).toHaveLength(1);
      expect(await place.contents()).toEqual([key]);
    });

    test("writes and reads many concurrently", async () => {
      const keys = Array.from({ length: 60 }, () => newKey());
      const bytes = (key: string) => Buffer.concat([someBytes(70_000), Buffer.from(key)]);
      await Promise.all(keys.map((key) => place.storage.write(key, pieces(bytes(key)), headers)));
      // None of the streams is read before all of them are open.
      const streams = await Promise.all([...keys, ...keys].map((key) => place.storage.read(key)));
      const found = await Promise.all(streams.map(async (stream) => stream?.toArray()));
      expect(
        found.map((chunks) =>
          Buffer.concat(chunks ?? [])
            .subarray(70_000)
            .toString(),
        ),
      ).toEqual([...keys, ...keys]);
    });

    test("a reader may leave before the end", async () => {
      const key = newKey();
      const bytes = someBytes(8 * MiB);
      await place.storage.write(key, pieces(bytes), headers);
      const stream = await place.storage.read(key);
      stream?.once("data", () => stream.destroy());
      if (stream !== null) await once(stream, "close");
      expect((await read(place.storage, key))?.equals(bytes)).toBe(true);
    });

    test("removing an object that is being written ends the write", async () => {
      const key = newKey();
      let goOn = () => {};
      const paused = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      const write = place.storage.write(key, halves(someBytes(12 * MiB), paused), headers);
      const outcome = write.catch((error: unknown) => error);
      await expect.poll(() => place.contents()).toEqual(["unfinished"]);
      await place.storage.remove(key);
      expect(await place.contents()).toEqual([]);
      goOn();
      expect(await outcome).toBeInstanceOf(StorageError);
      expect(await place.contents()).toEqual([]);
    });

    test.each(["..", ".htaccess", "CON", "--", "_", "index.html", "a".repeat(100)])(
      "keeps a file named %s",
      async (name) => {
        const key = newKey(name);
        await place.storage.write(key, [Buffer.from(name)], headers);
        expect((await read(place.storage, key))?.toString()).toBe(name);
        expect(await place.contents()).toEqual([key]);
      },
    );

    const id = randomUUID();
    test.each([
      "",
      "/etc/passwd",
      "../../etc/passwd",
      `products/image/2026/../${id}-a`,
      `products/image/2026/01/../${id}-a`,
      `products/image/2026/01/${id}-../../a`,
      `products/image//01/${id}-a`,
      `./image/2026/01/${id}-a`,
      `products/image/2026/01/${id}-a\0b`,
      `products\\image/2026/01/${id}-a`,
      `products/image/2026/01/${id}-a\\..\\b`,
      `products/image/2026/01/${id}-a\n`,
      `products/image/2026/01/${id}-`,
      `products/image/2026/01/${id}`,
      "products/image/2026/01/photo.webp",
      `products/image/2026/01/${id}-${"a".repeat(250)}`,
    ])("refuses a key such as %j", async (key) => {
      await expect(place.storage.write(key, [], headers)).rejects.toThrow(TypeError);
      await expect(place.storage.read(key)).rejects.toThrow(TypeError);
      await expect(place.storage.remove(key)).rejects.toThrow(TypeError);
    });

    test("holds no more of a large file than a few parts", async () => {
      const key = newKey();
      await place.storage.write(key, pieces(someBytes(32 * MiB)), headers);
      let most = 0;
      const start = process.memoryUsage.rss();
      await place.storage.write(
        key,
        // Twice the limit, so that a storage that holds all of it fails.
        measured(128, () => {
          most = Math.max(most, process.memoryUsage.rss() - start);
        }),
        headers,
      );
      expect(most).toBeLessThan(64 * MiB);
    });

    test("can be tested, and keeps nothing of the test", async () => {
      await place.storage.check();
      expect(await place.contents()).toEqual([]);
    });
  });
});

async function* halves(bytes: Buffer, paused: Promise<void>): AsyncGenerator<Uint8Array> {
  yield* pieces(bytes.subarray(0, bytes.length / 2));
  await paused;
  yield* pieces(bytes.subarray(bytes.length / 2));
}

/** So many MiB, in the chunks of a socket. */
async function* measured(amount: number, look: () => void): AsyncGenerator<Uint8Array> {
  for (let made = 0; made < amount; made += 1) {
    for (let chunk = 0; chunk < 16; chunk += 1) yield Buffer.alloc(65_536, chunk);
    look();
  }
}
