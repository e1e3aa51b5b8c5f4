import { execa } from "execa";
import { expect, test } from "vitest";

/** What a process writes that logs this error. */
async function logged(error: string): Promise<Record<string, Record<string, unknown>>> {
  const door = new URL("../../../dist/runtime/own-code/index.js", import.meta.url).href;
  const program = `
    import { newLog } from ${JSON.stringify(door)};
    newLog({ logLevel: "error" }).error({ err: ${error} }, "request failed");`;
  const { stdout } = await execa(process.execPath, ["--input-type=module", "--eval", program]);
  return JSON.parse(stdout);
}

test("a failing row is not logged, but the rest of the error is", async () => {
  const { err } = await logged(
    `Object.assign(new Error("null value"), { code: "23502", table: "users", detail: "Failing row contains ($argon2id$)" })`,
  );
  expect(err).toMatchObject({
    type: "Error",
    message: "null value",
    code: "23502",
    table: "users",
  });
  expect(err).toHaveProperty("stack");
  expect(JSON.stringify(err)).not.toContain("argon2id");
});

test("a thrown value that is not an error is logged unchanged", async () => {
  expect((await logged('{ odd: "thing" }')).err).toEqual({ odd: "thing" });
});
