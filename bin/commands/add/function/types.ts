import { dirname, join, relative } from "node:path";
import type { SourceFile } from "ts-morph";
import type { Edit } from "../text/edits.js";
import { importsFor } from "../text/imports.js";
import type { Style } from "../text/style.js";
import type { TypeNames } from "./function-text.js";
import type { OwnFunction, ParameterType } from "./signature.js";

const ownCode = "service/runtime/own-code";

/** The types of a function's parameters where the compiler does not find them out, and their imports. */
export function typesFor(
  root: string,
  file: SourceFile,
  { resource, type, signature }: OwnFunction,
  style: Style,
): { names: TypeNames; edits: readonly Edit[] } {
  const app = generated(root, file, "app");
  const records = generated(root, file, `${resource}/types`);
  const modules: Readonly<Record<ParameterType, readonly (readonly [string, string])[]>> = {
    caller: [[ownCode, "Caller"]],
    context: [
      [ownCode, "HookContext"],
      [app, "Resources"],
    ],
    record: [[records, type]],
    values: [[records, `${type}Values`]],
    changes: [[records, `${type}Values`]],
  };
  const needed = new Map(
    signature.parameters.flatMap(([, kind]) =>
      modules[kind].map(([module, name]) => [name, { module, name }] as const),
    ),
  );
  const wanted = [...needed.values()].map((one) => ({
    ...one,
    otherwise: `Own${one.name}`,
    isType: true,
  }));
  const { names, edits } = importsFor(file, wanted, style);
  const local = new Map(wanted.map(({ name }, at) => [name, names[at] ?? name]));
  const nameOf = (name: string) => local.get(name) ?? name;
  return {
    names: {
      caller: nameOf("Caller"),
      context: `${nameOf("HookContext")}<${nameOf("Resources")}>`,
      record: nameOf(type),
      values: nameOf(`${type}Values`),
      changes: `Partial<${nameOf(`${type}Values`)}>`,
    },
    edits,
  };
}

/** The specifier of a generated file, with the ending that the file's other imports have. */
function generated(root: string, file: SourceFile, name: string): string {
  const path = relative(dirname(file.getFilePath()), join(root, "generated", name));
  const specifier = path.startsWith(".") ? path : `./${path}`;
  const others = file
    .getImportDeclarations()
    .map((one) => one.getModuleSpecifierValue())
    .filter((one) => one.startsWith("."));
  const ending = others.length === 0 ? ".js" : (/\.[cm]?[jt]s$/.exec(others[0] ?? "")?.[0] ?? "");
  return specifier.replaceAll("\\", "/") + ending;
}
