export interface ImportingFile {
  readonly path: string;
  /** The paths of what it imports, types too. */
  readonly imports: readonly string[];
}

/** The cycles of imports among files, as `a → b → a`. */
export function importCycles(files: readonly ImportingFile[]): readonly string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path);
    if (at >= 0) found.push([...trail.slice(at), path].join(" → "));
    if (at >= 0 || done.has(path)) return;
    for (const to of byPath.get(path)?.imports ?? []) visit(to, [...trail, path]);
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  return found;
}
