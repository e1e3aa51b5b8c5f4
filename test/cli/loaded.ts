import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { plain, repository } from "./service.js";

/** The packages, undici of Node.js among them, and the files of ours, bundled or below `dist/`, that a program loads; sorted. */
export async function loadedBy(
  args: readonly string[],
  given: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "service-loaded-"));
  const list = join(folder, "list.txt");
  try {
    const env = { ...plain, ...given, LOADED_LIST: list };
    const options = { cwd: repository, env };
    await execa(process.execPath, ["--import", dataUrl(recorder), ...args], options);
    const modules = readFileSync(list, "utf8").split("\n").flatMap(namesOf);
    return [...new Set(modules)].sort();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes down every ES module as it is loaded, and every other one at the end. */
const recorder = `
  import { appendFileSync } from "node:fs";
  import { createRequire, register } from "node:module";
  const write = (line) => appendFileSync(process.env.LOADED_LIST, line + "\\n");
  register(${JSON.stringify(
    dataUrl(`
      import { appendFileSync } from "node:fs";
      export function load(url, context, next) {
        appendFileSync(process.env.LOADED_LIST, url + "\\n");
        return next(url, context);
      }`),
  )});
  const { cache } = createRequire(${JSON.stringify(join(repository, "package.json"))});
  process.on("exit", () => {
    Object.keys(cache).forEach(write);
    if (process.moduleLoadList.some((name) => /undici/.test(name))) write("/node_modules/undici/");
  });`;

function dataUrl(text: string): string {
  return `data:text/javascript,${encodeURIComponent(text)}`;
}

function namesOf(module: string): readonly string[] {
  const file = /\/(?:runtime\/)?dist\/bundle\/.+\.js$/.exec(module)?.[0];
  if (file !== undefined) return partsOf(join(repository, file)).flatMap(namesOf);
  const name =
    /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(module) ??
    /(?:^|\/dist\/)((?:bin|generator|runtime)\/.+)\.[jt]s$/.exec(module);
  return name?.[1] === undefined ? [] : [name[1]];
}

/** The sources of a bundled file, which the bundler names where each begins. */
function partsOf(file: string): readonly string[] {
  return [
    ...readFileSync(file, "utf8").matchAll(
      /^\/\/ ((?:bin|generator|node_modules|runtime)\/\S+)$/gm,
    ),
  ].map(([, path = ""]) => path);
}
