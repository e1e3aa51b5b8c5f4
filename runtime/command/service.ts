#!/usr/bin/env node
import { run } from "./program.js";
import { tolerateLostOutput } from "./report.js";

tolerateLostOutput();
process.exitCode = await run(process.argv.slice(2));
