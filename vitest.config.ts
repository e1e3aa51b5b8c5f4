import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/postgres.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 3,
    expect: { poll: { timeout: 10_000 } },
  },
});
