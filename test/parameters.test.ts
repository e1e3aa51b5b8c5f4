import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type ParamPattern, parseSync, Visitor } from "oxc-parser";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");

// The linter holds the number of parameters and lines, and has no rule for this.
test.each(["bin", "generator", "runtime", "templates"])(
  "no function in %s has a boolean parameter, as its calls would not show the meaning",
  (folder) => {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
    const paths = names
      .map((name) => join(folder, name))
      .filter((path) => /\.tsx?$/.test(path) && !path.startsWith("runtime/dist/"));
    expect(paths.flatMap(booleanParameters)).toEqual([]);
  },
);

/** `path: name` of each. */
function booleanParameters(path: string): readonly string[] {
  const { program } = parseSync(path, readFileSync(join(root, path), "utf8"));
  const found: string[] = [];
  const visit = ({ params }: { readonly params: readonly ParamPattern[] }) => {
    found.push(...params.map(booleanName).filter((name) => name !== null));
  };
  new Visitor({
    ArrowFunctionExpression: visit,
    FunctionDeclaration: visit,
    FunctionExpression: visit,
  }).visit(program);
  return found.map((name) => `${path}: ${name}`);
}

/** The parameter's name if its type, or that of its default, is boolean. */
function booleanName(parameter: ParamPattern): string | null {
  if (parameter.type === "AssignmentPattern") {
    const { left, right } = parameter;
    const isBoolean = right.type === "Literal" && typeof right.value === "boolean";
    return isBoolean && left.type === "Identifier" ? left.name : booleanName(left);
  }
  if (parameter.type !== "Identifier") return null;
  const type = parameter.typeAnnotation?.typeAnnotation.type;
  return type === "TSBooleanKeyword" ? parameter.name : null;
}
