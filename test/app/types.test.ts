import { resolve } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";

const repository = resolve(import.meta.dirname, "../..");

test.each(["apps/shop", "apps/northwind", "names", "cases"])(
  "the strict compiler has no word to say of fixtures/%s",
  async (name) => {
    const options = { cwd: repository, reject: false } as const;
    const result = await execa("npx", ["tsc", "-p", `fixtures/${name}`, "--noEmit"], options);
    expect([result.exitCode, result.stdout, result.stderr]).toEqual([0, "", ""]);
  },
);
