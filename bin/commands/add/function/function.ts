import { dirname, join } from "node:path";
import { type MethodDeclaration, Node, type Project } from "ts-morph";
import { createAppOptions, memberOf, objectOf } from "../code/follow.js";
import { within } from "../code/project.js";
import { addMember } from "../write/members.js";
import { addImport, type Import, importFor } from "../write/statements.js";
import { writeLike } from "../write/style.js";
import type { Signature } from "./signature.js";

/** A resource's hook or policy in app code. */
export interface AppFunction {
  readonly group: "hooks" | "policies";
  readonly resource: string;
  /** The resource's name in `app.resources`, which app code may also use as the key. */
  readonly collection: string;
  /** The name of the type of the resource's records. */
  readonly type: string;
  readonly name: string;
  readonly signature: Signature;
}

/** Adds the function next to others of its kind in app code, and any missing keys above it. */
export function addFunction(project: Project, wanted: AppFunction) {
  let object = createAppOptions(project);
  const missing: string[] = [];
  for (const names of [[wanted.group], [wanted.resource, wanted.collection]] as const) {
    const member = missing.length === 0 ? memberOf(object, names) : undefined;
    if (member === undefined) missing.push(names[0]);
    else object = objectOf(member);
  }
  const there = missing.length === 0 ? memberOf(object, [wanted.name]) : undefined;
  if (there !== undefined) return { there };
  const file = object.getSourceFile();
  const style = writeLike(file);
  const added = addMember(object, style.like(memberText(missing, wanted)));
  const method = [added, ...added.getDescendants()].find(Node.isMethodDeclaration);
  // In an object without a type, the compiler cannot infer parameter types.
  const isTyped = method?.getParameters()[0]?.getType().isAny() === false;
  const imports = isTyped || method === undefined ? [] : addTypes(method, wanted);
  for (const one of imports) addImport(file, one, style);
  return file;
}

/** The function as a member of the argument of `createApp`, formatted as `init` does. */
export function functionText(wanted: AppFunction): string {
  return memberText([wanted.group, wanted.resource], wanted);
}

/** The function without types, nested in objects with these keys. */
function memberText(keys: readonly string[], { name, signature }: AppFunction): string {
  const [parameters, ...body] = signature;
  const method = `${name}(${parameters}) {\n${body.map((line) => `  ${line}\n`).join("")}}`;
  return keys.reduceRight((inner, key) => {
    const name = key.includes("-") ? `"${key}"` : key;
    return `${name}: {\n${inner.replace(/^/gm, "  ")},\n}`;
  }, method);
}

/** Parameter types by name; `$` stands for the type of the resource's records. */
const types: Readonly<Record<string, string>> = {
  caller: "Caller",
  record: "$",
  former: "$",
  values: "$Values",
  changes: "Partial<$Values>",
};

/** Adds types to the parameters; returns the imports that the types need. */
function addTypes(method: MethodDeclaration, { resource, type }: AppFunction): readonly Import[] {
  const file = method.getSourceFile();
  const { rootDir = "" } = method.getProject().getCompilerOptions();
  const folder = within(dirname(file.getFilePath()), join(rootDir, "generated"));
  // The extension used in the file's other imports.
  const ending =
    /(?:from|import) (["'])\..*?(\.[cm]?[jt]s|)\1/.exec(file.getFullText())?.[2] ?? ".js";
  const moduleOf = (name: string) => {
    if (name === "Caller" || name === "HookContext") return "service-runtime/own-code";
    const path = name === "Resources" ? "app" : `${resource}/types`;
    return `./${folder}/${path}${ending}`.replace("./..", "..");
  };
  const imports: Import[] = [];
  // Imports from the package come before imports of generated files.
  for (const parameter of method.getParameters().toReversed()) {
    const text = types[parameter.getName().replace("_", "")] ?? "HookContext<Resources>";
    const local = text.replace(/Caller|HookContext|Resources|\$(Values)?/g, (word) => {
      const wanted = { module: moduleOf(word), name: word.replace("$", type), isType: true };
      const one = importFor(method, wanted, `Own${wanted.name}`);
      imports.push(one);
      return one.local;
    });
    parameter.setType(local);
  }
  return imports;
}
