import {
  Node,
  type ObjectLiteralExpression,
  type ParameterDeclarationStructure,
  StructureKind,
  SyntaxKind,
} from "ts-morph";
import type { Style } from "./style.js";

/** A method without what ts-morph knows itself. */
export interface NewMethod {
  readonly name: string;
  readonly parameters: readonly Omit<ParameterDeclarationStructure, "kind">[];
  readonly statements: readonly string[];
}

/** Adds a method as the last member of an object, within new objects below these keys. */
export function addMethod(
  literal: ObjectLiteralExpression,
  keys: readonly string[],
  method: NewMethod,
): void {
  let object = onSeveralLines(literal);
  const quote = object.getProject().manipulationSettings.getQuoteKind();
  for (const key of keys) {
    const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : quote + key + quote;
    object = object
      .insertPropertyAssignment(endOf(object), { name, initializer: "{}" })
      .getInitializerIfKindOrThrow(SyntaxKind.ObjectLiteralExpression);
  }
  const { parameters, statements, name } = method;
  object.insertMethod(endOf(object), {
    name,
    parameters: parameters.map((one) => ({ kind: StructureKind.Parameter, ...one })),
    statements: [...statements],
  });
}

/** Adds a member that is a name, on the line of an object that has but one. */
export function addName(literal: ObjectLiteralExpression, name: string, { pad }: Style): void {
  const member = name === "routes" ? name : `routes: ${name}`;
  const end = literal.getChildSyntaxListOrThrow().getChildren().at(-1);
  if (/^\{\s*\}$/.test(literal.getText())) literal.replaceWithText(`{${pad}${member}${pad}}`);
  else if (end !== undefined && !literal.getText().includes("\n")) {
    const gap = end.getKind() === SyntaxKind.CommaToken ? " " : ", ";
    literal.getSourceFile().insertText(end.getEnd(), gap + member);
  } else if (name === "routes") literal.insertShorthandPropertyAssignment(endOf(literal), { name });
  else literal.insertPropertyAssignment(endOf(literal), { name: "routes", initializer: name });
}

/** The index behind the last member, before comments that follow it; behind all of them, where there is none. */
function endOf(literal: ObjectLiteralExpression): number {
  const all = literal.getPropertiesWithComments();
  const last = all.findLastIndex((one) => !Node.isCommentObjectLiteralElement(one));
  return last < 0 ? all.length : last + 1;
}

/** The object with a line for each member, if it has any. */
function onSeveralLines(literal: ObjectLiteralExpression): ObjectLiteralExpression {
  const all = literal.getChildSyntaxListOrThrow().getChildren();
  const end = all.at(-1)?.getEnd();
  if (end === undefined || literal.getText().includes("\n")) return literal;
  const lineEnd = literal.getProject().manipulationSettings.getNewLineKindAsString();
  const members = all.map((one) =>
    one.getKind() === SyntaxKind.CommaToken
      ? one.getFullText() + lineEnd
      : one.getFullText().trim(),
  );
  const rest = literal.getText().slice(end - literal.getStart(), -1);
  // ts-morph indents what takes a node's place as the line is.
  const step = literal.getProject().manipulationSettings.getIndentationText();
  const lines = (members.join("") + rest).trim().split(lineEnd);
  const text = ["{", ...lines.map((line) => step + line), "}"].join(lineEnd);
  const written = literal.replaceWithText(text);
  return Node.isObjectLiteralExpression(written) ? written : literal;
}
