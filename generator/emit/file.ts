import type { Resource } from "../model/model.js";
import { moduleOf, type RuntimeSymbol } from "../model/runtime-symbols.js";
import { type AnyImport, type Import, importLines } from "../text/imports.js";
import { width } from "../text/layout.js";

/** A file of the app, held in memory. */
export interface EmittedFile {
  /** Relative to the app's folder, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** The header line and the imports of a resource's file. */
export function preamble(resource: Resource, imports: readonly AnyImport[]): string[] {
  const origin = `// Generated from ${resource.source} by \`service generate\`:`;
  const advice = "edit that file, not this one.";
  const header = `${origin} ${advice}`;
  return [
    ...(header.length > width ? [origin, `// ${advice}`] : [header]),
    ...importLines(imports),
  ];
}

/** Whether a text begins with the header of emitted files. */
export function hasHeader(text: string): boolean {
  return /^\/\/ Generated (?:from \S+ )?by `service generate`:/.test(text);
}

/** An import of values from the runtime, all from one module. */
export function runtimeImport(symbols: readonly RuntimeSymbol[]): Import {
  const [first] = symbols;
  if (first === undefined) return { from: "", names: [] };
  return { from: moduleOf(first), names: symbols };
}

/** An import of types from the runtime, all from one module. */
export function runtimeTypes(symbols: readonly RuntimeSymbol[]): Import {
  return { ...runtimeImport(symbols), typeOnly: true };
}

export function resourceFile(resource: Resource, name: string): string {
  return `generated/${resource.name}/${name}.ts`;
}
