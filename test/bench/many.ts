import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Figure, figure, middle, middleOf, timed } from "./figure.js";
import { manyDescriptors } from "./many-descriptors.js";
import { service, writeApp } from "./written-app.js";

const repository = join(import.meta.dirname, "../../..");
const compiler = join(repository, "node_modules/typescript/bin/tsc");

/** `service generate` as a whole process, from nothing and with nothing to do. */
export async function measureGenerate(): Promise<readonly Figure[]> {
  const few = await generating(10, 5);
  const hundred = await generating(100, 5);
  const thousand = await generating(1000, 3);
  return [
    figure("generate, 10 resources, from nothing", few.fromNothing, free),
    figure("generate, 10 resources, nothing to do", few.nothingToDo, free),
    figure("generate, 100 resources, from nothing", hundred.fromNothing, atMost(1200)),
    figure("generate, 100 resources, nothing to do", hundred.nothingToDo, atMost(600)),
    figure("generate, 1000 resources, from nothing", thousand.fromNothing, {
      target: 10 * hundred.fromNothing,
      unit: "ms",
    }),
    figure("generate, 1000 resources, nothing to do", thousand.nothingToDo, {
      target: 10 * hundred.nothingToDo,
      unit: "ms",
    }),
  ];
}

/** The strict compiler, as a new app is set up for it, over what 100 resources make; then over the client alone. */
export async function measureTypeCheck(): Promise<readonly Figure[]> {
  const hundred = await withApp(100, async (root) => {
    await timed([service, "-C", root, "generate"]);
    const check = () => timed([compiler, "-p", root, "--noEmit"], { cwd: root });
    return [
      figure("type check, 100 resources", await middleOf(3, check), atMost(5000)),
      figure("type check of the client, 100 resources", await checkClient(root), atMost(2000)),
    ];
  });
  const thousand = await withApp(1000, async (root) => {
    await timed([service, "-C", root, "generate"]);
    return figure(
      "type check of the client, 1000 resources",
      await checkClient(root),
      atMost(15_000),
    );
  });
  return [...hundred, thousand];
}

/** As a front end compiles it. */
function checkClient(root: string): Promise<number> {
  const options = "--strict --noEmit --target es2022 --lib es2022,dom,dom.iterable --module esnext";
  const args = [...options.split(" "), "--moduleResolution", "bundler", "--types", ""];
  const file = join(root, "generated/client.ts");
  return middleOf(3, () => timed([compiler, ...args, "--ignoreConfig", file], { cwd: root }));
}

const free = { target: null, unit: "ms" } as const;

function atMost(target: number): Pick<Figure, "target" | "unit"> {
  return { target, unit: "ms" };
}

async function generating(resources: number, runs: number) {
  return withApp(resources, async (root) => {
    const fromNothing: number[] = [];
    const nothingToDo: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      for (const folder of ["generated", "migrations"]) {
        rmSync(join(root, folder), { recursive: true, force: true });
      }
      fromNothing.push(await timed([service, "-C", root, "generate"]));
      nothingToDo.push(await timed([service, "-C", root, "generate"]));
    }
    return { fromNothing: middle(fromNothing), nothingToDo: middle(nothingToDo) };
  });
}

async function withApp<T>(resources: number, work: (root: string) => Promise<T>): Promise<T> {
  const root = await writeApp(manyDescriptors(resources));
  try {
    return await work(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
