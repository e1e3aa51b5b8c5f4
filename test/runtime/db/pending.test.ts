import { expect, test } from "vitest";
import { newLanes } from "../../../runtime/db/pool/lanes.js";
import { pendingBeforePool } from "../../../runtime/db/pool/pending.js";
import { QueueTimeout } from "../../../runtime/db/statement/sqlstate.js";

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

test("requests that wait for a slot are pending until they begin, or fail", async () => {
  const { open, opened } = gate();
  const options = { width: 1, totalSlots: 1, waitMs: 50, isStuck: () => false };
  const lanes = newLanes(options);
  const patient = newLanes({ ...options, waitMs: 60_000 });
  const all = [lanes, lanes, patient, patient, patient].map((one) => one.run("a", () => opened));
  expect(pendingBeforePool()).toBe(3);
  await expect(all[1]).rejects.toThrow(QueueTimeout);
  expect(pendingBeforePool()).toBe(2);
  open();
  await Promise.allSettled(all);
  expect(pendingBeforePool()).toBe(0);
});
