import { spawnSync } from "node:child_process";
import { execa, type Options } from "execa";

/** Whether programs can be run at a terminal here, by `script` of util-linux. */
export const hasTerminal = spawnSync("script", ["--version"]).status === 0;

/** Output of a shell command at a terminal, with each question answered by the next line. */
export async function atTerminal(
  command: string,
  answers: readonly string[],
  options: Pick<Options, "cwd" | "env"> = {},
): Promise<{ readonly exitCode: number | undefined; readonly output: string }> {
  const args = ["-qec", command, "/dev/null"];
  const child = execa("script", args, { ...options, all: true, reject: false });
  const left = [...answers];
  let output = "";
  child.all.on("data", (chunk) => {
    output += chunk;
    if (/: \s*$/.test(output) && left.length > 0) child.stdin.write(`${left.shift()}\r`);
  });
  const { exitCode } = await child;
  return { exitCode, output: output.replaceAll("\r", "") };
}
