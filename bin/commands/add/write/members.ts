import { Node, type ObjectLiteralExpression, SyntaxKind } from "ts-morph";
import type { Style } from "./style.js";

/** Adds a member after the last one and before comments that follow it, in an object with one member per line. */
export function addMember(object: ObjectLiteralExpression, member: string): Node {
  const literal = onSeveralLines(object);
  const all = literal.getPropertiesWithComments();
  const last = all.findLastIndex((one) => !Node.isCommentObjectLiteralElement(one));
  return literal.insertProperty(last < 0 ? all.length : last + 1, member);
}

/** Adds a shorthand member to a one-line object with at most one member. */
export function addName(object: ObjectLiteralExpression, name: string, { pad }: Style): void {
  const member = name === "routes" ? name : `routes: ${name}`;
  const last = object.getProperties().at(-1);
  const text = object.getText();
  if (/^\{\s*\}$/.test(text)) object.replaceWithText(`{${pad}${member}${pad}}`);
  else if (last === undefined || text.includes("\n")) addMember(object, member);
  else last.replaceWithText(`${last.getText()}, ${member}`);
}

function onSeveralLines(object: ObjectLiteralExpression): ObjectLiteralExpression {
  const text = object.getText();
  if (/\n|^\{\s*\}$/.test(text)) return object;
  const commas = object
    .getChildSyntaxListOrThrow()
    .getChildrenOfKind(SyntaxKind.CommaToken)
    .map((one) => one.getEnd() - object.getStart());
  const lines = [1, ...commas].map((start, at) => text.slice(start, commas[at] ?? -1).trim());
  const members = lines.filter((line) => line !== "").join("\n");
  return object
    .replaceWithText((writer) => writer.inlineBlock(() => writer.write(members)))
    .asKindOrThrow(SyntaxKind.ObjectLiteralExpression);
}
