#!/usr/bin/env node
import { tolerateLostOutput } from "../runtime/command/report.js";
import { run } from "./program.js";

tolerateLostOutput();
process.exitCode = await run(process.argv.slice(2));
