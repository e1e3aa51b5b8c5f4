import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  faultRounds,
  openUnderLoad,
  faultTimeout as timeout,
  type UnderLoad,
} from "../support/load/under-load.js";

/** Debian's `libfaketime`. */
const library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";
const hasLibrary = existsSync(library);
if (!hasLibrary) process.stderr.write("libfaketime is not installed: its tests are skipped\n");

describe.skipIf(!hasLibrary)("servers whose clock jumps", () => {
  const folder = mkdtempSync(join(tmpdir(), "clock-"));
  const file = join(folder, "offset");
  let shop: UnderLoad;
  beforeAll(async () => {
    writeFileSync(file, "+0");
    shop = await openUnderLoad({
      variables: {
        LD_PRELOAD: library,
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_NO_CACHE: "1",
        // No machine's steady clock ever jumps.
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
      },
    });
  });
  afterAll(async () => {
    await shop.close();
    rmSync(folder, { recursive: true });
  });

  test("two hours ahead, two back, and to a past day: nothing is lost or refused", {
    timeout,
  }, async () => {
    const load = await shop.startLoad();
    for (let round = 0; round < faultRounds; round += 1) {
      for (const offset of ["+2h", "-2h", "-1d", "+0"]) {
        writeFileSync(file, offset);
        await sleep(700);
      }
    }
    expect(shop.ledger.phase.failed).toEqual([]);
    await shop.expectNothingLost(load);
  });
});
