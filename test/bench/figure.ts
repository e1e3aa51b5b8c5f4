import { execa, type Options } from "execa";

/** One row of the table of whole processes: what it took, and the most that it may take. */
export interface Figure {
  readonly name: string;
  /** Null where the figure is there to be seen only. */
  readonly target: number | null;
  readonly measured: number;
  readonly unit: "ms" | "MB" | "×";
  readonly met: boolean;
}

export function figure(
  name: string,
  measured: number,
  { target, unit }: Pick<Figure, "target" | "unit">,
): Figure {
  return { name, target, measured, unit, met: target === null || measured <= target };
}

/** Milliseconds that a command takes as a whole process, its start included. Fails where it does. */
export async function timed(args: readonly string[], options: Options = {}): Promise<number> {
  const start = performance.now();
  await execa(process.execPath, args, options);
  return Math.round(performance.now() - start);
}

/** The middle of what several runs in turn give. */
export async function middleOf(runs: number, run: () => Promise<number>): Promise<number> {
  const measured: number[] = [];
  for (let at = 0; at < runs; at += 1) measured.push(await run());
  return middle(measured);
}

export function middle(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
