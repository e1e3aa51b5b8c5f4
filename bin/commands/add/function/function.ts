import { dirname, join } from "node:path";
import { type MethodDeclaration, Node, type Project } from "ts-morph";
import { createAppOptions, memberOf, objectOf } from "../code/follow.js";
import { within } from "../code/project.js";
import { addMember } from "../write/members.js";
import { addImport, type Import, importFor } from "../write/statements.js";
import { writeLike } from "../write/style.js";
import type { Signature } from "./signature.js";

/** A hook or a policy of a resource. */
export interface OwnFunction {
  readonly group: "hooks" | "policies";
  readonly resource: string;
  /** What `app.resources` calls it, which own code may write too. */
  readonly collection: string;
  /** The type of its records. */
  readonly type: string;
  readonly name: string;
  readonly signature: Signature;
}

/** Adds the function where the app's own code has its like, below the keys that are missing as yet. */
export function addFunction(project: Project, wanted: OwnFunction) {
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
  // In an object without a type the compiler does not find out those of parameters.
  const isTyped = method?.getParameters()[0]?.getType().isAny() === false;
  const imports = isTyped || method === undefined ? [] : addTypes(method, wanted);
  for (const one of imports) addImport(file, one, style);
  return file;
}

/** The function as a member of what `createApp` is given, as `init` would write it. */
export function functionText(wanted: OwnFunction): string {
  return memberText([wanted.group, wanted.resource], wanted);
}

/** The function, without types, within objects of these keys. */
function memberText(keys: readonly string[], { name, signature }: OwnFunction): string {
  const [parameters, ...body] = signature;
  const method = `${name}(${parameters}) {\n${body.map((line) => `  ${line}\n`).join("")}}`;
  return keys.reduceRight((inner, key) => {
    const name = key.includes("-") ? `"${key}"` : key;
    return `${name}: {\n${inner.replace(/^/gm, "  ")},\n}`;
  }, method);
}

/** By the name of a parameter; `$` is the type of the resource's records. */
const types: Readonly<Record<string, string>> = {
  caller: "Caller",
  record: "$",
  former: "$",
  values: "$Values",
  changes: "Partial<$Values>",
};

/** Gives the parameters their types; returns what to import for these. */
function addTypes(method: MethodDeclaration, { resource, type }: OwnFunction): readonly Import[] {
  const file = method.getSourceFile();
  const { rootDir = "" } = method.getProject().getCompilerOptions();
  const folder = within(dirname(file.getFilePath()), join(rootDir, "generated"));
  // As the file's other imports have it.
  const ending =
    /(?:from|import) (["'])\..*?(\.[cm]?[jt]s|)\1/.exec(file.getFullText())?.[2] ?? ".js";
  const moduleOf = (name: string) => {
    if (name === "Caller" || name === "HookContext") return "service-runtime/own-code";
    const path = name === "Resources" ? "app" : `${resource}/types`;
    return `./${folder}/${path}${ending}`.replace("./..", "..");
  };
  const imports: Import[] = [];
  // What the package exports is imported before what is generated.
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
