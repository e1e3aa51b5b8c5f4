import { dirname, join, relative } from "node:path";
import { Project, type SourceFile, SyntaxKind } from "ts-morph";
import type { Descriptor } from "../../../../generator/descriptor/descriptor.js";
import { namesOf } from "../../../../generator/model/names.js";
import { createAppOptions } from "../code/create-app.js";
import { type Imports, importsOf } from "../code/imports.js";
import { memberOf, valueIn } from "../code/literals.js";
import { addMethod, type NewMethod } from "../code/members.js";
import { type Outcome, type OwnCode, placeOf } from "../code/own-code.js";
import { type Style, writeLike } from "../code/style.js";
import type { OwnFunction, ParameterType, Signature } from "./signature.js";

/** The function of that name for the resource that a descriptor describes. */
export function ownFunction(
  descriptor: Descriptor,
  name: string,
  signature: Signature,
): OwnFunction {
  const { collection, type } = namesOf(descriptor);
  return { resource: descriptor.name, collection, type, name, signature };
}

/** Adds the function where the app's own code has its like, below the keys that are missing as yet. */
export function addFunction(code: OwnCode, wanted: OwnFunction): Outcome {
  const { name, resource, collection, signature } = wanted;
  let object = createAppOptions(code);
  const missing: string[] = [];
  for (const names of [[signature.group], [resource, collection]]) {
    const member = missing.length === 0 ? memberOf(code, object, names) : null;
    if (member === null) missing.push(names[0] ?? "");
    else object = valueIn(code, member);
  }
  const former = missing.length === 0 ? memberOf(code, object, [name]) : null;
  if (former !== null) return { there: placeOf(code.root, former.node) };
  const file = object.literal.getSourceFile();
  const style = writeLike(file);
  const imports = importsOf(file, style);
  const method = methodOf(name, signature, style);
  const parameters = object.isTyped
    ? method.parameters
    : typedParameters(code.root, { file, imports }, wanted);
  addMethod(object.literal, missing, { ...method, parameters });
  imports.write();
  return { file };
}

/** The function as a member of what `createApp` is given, as `init` would write it. */
export function functionText({ name, resource, signature }: OwnFunction): string {
  const file = new Project({ useInMemoryFileSystem: true }).createSourceFile("new.ts", "({});\n");
  const style = writeLike(file);
  const literal = file.getFirstDescendantByKindOrThrow(SyntaxKind.ObjectLiteralExpression);
  addMethod(literal, [signature.group, resource], methodOf(name, signature, style));
  const [member] = literal.getProperties();
  return member?.getText().replace(/^ {2}/gm, "") ?? "";
}

/** A method that leaves everything as it is. */
function methodOf(name: string, { parameters, body }: Signature, { semicolon }: Style): NewMethod {
  const statements = body.map((line) => line + (line.startsWith("//") ? "" : semicolon));
  return { name, parameters: parameters.map(([one]) => ({ name: one })), statements };
}

const ownCode = "service/runtime/own-code";

/** The parameters with their types, which are imported: the compiler does not find them out. */
function typedParameters(
  root: string,
  { file, imports }: { readonly file: SourceFile; readonly imports: Imports },
  { resource, type, signature }: OwnFunction,
) {
  const imported = (module: string, name: string) =>
    imports.nameOf({ module, name, otherwise: `Own${name}`, isType: true });
  const ofApp = generated(root, file, "app");
  const ofResource = generated(root, file, `${resource}/types`);
  const types: Readonly<Record<ParameterType, () => string>> = {
    caller: () => imported(ownCode, "Caller"),
    context: () => `${imported(ownCode, "HookContext")}<${imported(ofApp, "Resources")}>`,
    record: () => imported(ofResource, type),
    values: () => imported(ofResource, `${type}Values`),
    changes: () => `Partial<${imported(ofResource, `${type}Values`)}>`,
  };
  // What the package exports is imported before what is generated.
  const last = signature.parameters.toReversed();
  return last.map(([name, kind]) => ({ name, type: types[kind]() })).toReversed();
}

/** The specifier of a generated file, with the ending that the file's other imports have. */
function generated(root: string, file: SourceFile, name: string): string {
  const path = relative(dirname(file.getFilePath()), join(root, "generated", name));
  const specifier = path.startsWith(".") ? path : `./${path}`;
  const other = file
    .getImportDeclarations()
    .map((one) => one.getModuleSpecifierValue())
    .find((one) => one.startsWith("."));
  const ending = other === undefined ? ".js" : (/\.[cm]?[jt]s$/.exec(other)?.[0] ?? "");
  return specifier.replaceAll("\\", "/") + ending;
}
