#!/usr/bin/env node
import { programOfCli } from "./beside.js";

const [, startedAs = import.meta.filename, ...args] = process.argv;
const other = programOfCli(startedAs);
if (other === null) {
  const { tolerateLostOutput } = await import("./report.js");
  const { run } = await import("./program.js");
  tolerateLostOutput();
  process.exitCode = await run(args);
} else {
  await import(other);
}
