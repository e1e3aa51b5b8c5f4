import { resolve } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { localTools } from "../support/processes/tools.js";

const repository = resolve(import.meta.dirname, "../..");

test.each(["apps/shop", "apps/northwind", "names", "cases"])(
  "the strict compiler has no word to say of fixtures/%s",
  async (name) => {
    const options = { ...localTools, cwd: repository, reject: false } as const;
    const result = await execa("tsc", ["-p", `fixtures/${name}`, "--noEmit"], options);
    expect([result.exitCode, result.stdout, result.stderr]).toEqual([0, "", ""]);
  },
);
