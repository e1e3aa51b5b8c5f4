import type { BrowserServer } from "playwright-core";
import type { TestProject } from "vitest/node";
import { hasChromium, serveChromium } from "./chromium.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Address of the run's browser; null without Chromium. */
    readonly browserUrl: string | null;
  }
}

let server: BrowserServer | undefined;

/** Vitest: one Chromium for all files of a project. */
export async function setup(project: TestProject): Promise<void> {
  if (hasChromium) server = await serveChromium();
  project.provide("browserUrl", server?.wsEndpoint() ?? null);
}

/** Vitest: ends it with the project. */
export async function teardown(): Promise<void> {
  await server?.close();
}
