#!/usr/bin/env node
import { run } from "./program.js";
import { tolerateClosedOutput } from "./report.js";

tolerateClosedOutput();
process.exitCode = await run(process.argv.slice(2));
