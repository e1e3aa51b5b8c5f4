import { failJob, GiveUp, giveUp, JobFailed } from "service-runtime/errors";
import { expect, test, vi } from "vitest";

test("giveUp, the former name of failJob, warns once and fails a job alike", () => {
  const warnings = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  const [failed] = [giveUp("The order was deleted"), giveUp("again")];
  const { calls } = warnings.mock;
  expect(failed).toBeInstanceOf(JobFailed);
  expect(failed).toBeInstanceOf(GiveUp);
  expect(failed).toEqual(failJob("The order was deleted"));
  expect(calls).toEqual([["giveUp is now called failJob", "DeprecationWarning"]]);
  warnings.mockRestore();
});
