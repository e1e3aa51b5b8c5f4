import { type CallExpression, Node } from "ts-morph";
import type { Descriptor } from "../../../../generator/descriptor/descriptor.js";
import { namesOf } from "../../../../generator/model/names.js";
import { createAppCall } from "../code/create-app.js";
import { memberOf, objectOf, valueIn, type WrittenObject } from "../code/literals.js";
import { type OwnCode, placeOf } from "../code/own-code.js";
import { type FileEdit, intoCall, memberEdits, type Outcome } from "../text/edits.js";
import { styleOf } from "../text/style.js";
import { functionLines, nested } from "./function-text.js";
import type { OwnFunction, Signature } from "./signature.js";
import { typesFor } from "./types.js";

/** The function of that name for the resource that a descriptor describes. */
export function ownFunction(
  descriptor: Descriptor,
  name: string,
  signature: Signature,
): OwnFunction {
  const { collection, type } = namesOf(descriptor);
  return { resource: descriptor.name, collection, type, name, signature };
}

/** `the hook beforeCreate of products` */
export function functionWords({ resource, name, signature }: OwnFunction): string {
  return `the ${signature.group === "hooks" ? "hook" : "policy"} ${name} of ${resource}`;
}

/** Adds the function where the app's own code has its like. */
export function addFunction(code: OwnCode, wanted: OwnFunction): Outcome {
  const call = createAppCall(code);
  const { group } = wanted.signature;
  const [argument] = call.getArguments();
  if (!Node.isExpression(argument)) return intoEmptyCall(call, wanted);
  const options = objectOf(code, argument, true);
  const all = memberOf(code, options, [group]);
  if (all === null) return into(code, options, wanted, [group, wanted.resource]);
  const functions = valueIn(code, all);
  const own = memberOf(code, functions, [wanted.resource, wanted.collection]);
  if (own === null) return into(code, functions, wanted, [wanted.resource]);
  const object = valueIn(code, own);
  const former = memberOf(code, object, [wanted.name]);
  if (former === null) return into(code, object, wanted, []);
  return { there: placeOf(code.root, former.node) };
}

/** Adds it to an object, below the keys that are missing as yet. */
function into(
  code: OwnCode,
  { literal, isTyped }: WrittenObject,
  wanted: OwnFunction,
  keys: readonly string[],
): FileEdit {
  const file = literal.getSourceFile();
  const style = styleOf(file);
  const types = isTyped ? null : typesFor(code.root, file, wanted, style);
  const lines = nested(keys, functionLines(wanted, types?.names ?? null, style), style);
  const edits = [...(types?.edits ?? []), ...memberEdits(literal, lines, style)];
  return { path: file.getFilePath(), text: file.getFullText(), edits };
}

function intoEmptyCall(call: CallExpression, wanted: OwnFunction): FileEdit {
  const file = call.getSourceFile();
  const style = styleOf(file);
  const keys = [wanted.signature.group, wanted.resource];
  const lines = nested(keys, functionLines(wanted, null, style), style);
  return {
    path: file.getFilePath(),
    text: file.getFullText(),
    edits: [intoCall(call, lines, style)],
  };
}
