import { Node, type Statement } from "ts-morph";
import { NotEditable } from "./not-editable.js";

/** The statement around a node that is in a list of them, so that others can be added beside it. */
export function statementAround(node: Node): Statement {
  const statement = [node, ...node.getAncestors()].find((one) => {
    const parent = one.getParent();
    const isListed =
      Node.isSourceFile(parent) || Node.isBlock(parent) || Node.isModuleBlock(parent);
    return isListed && Node.isStatement(one);
  });
  if (Node.isStatement(statement)) return statement;
  throw new NotEditable("There is no place for another statement beside the call of createApp");
}

/** Where a statement begins with the comments directly above it, of which no empty line separates it. */
export function commentedStart(statement: Statement): number {
  const parent = statement.getParent();
  const all = Node.isStatemented(parent) ? parent.getStatementsWithComments() : [];
  const before = all.slice(0, all.indexOf(statement));
  let first: Node = statement;
  for (const one of before.toReversed()) {
    const isAbove = one.getEndLineNumber() + 1 === first.getStartLineNumber(true);
    if (!Node.isCommentStatement(one) || !isAbove) break;
    first = one;
  }
  return first.getStart(true);
}
