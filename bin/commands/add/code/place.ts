import { Node, type Statement } from "ts-morph";
import { NotEditable } from "./not-editable.js";

/** The statement around a node that is in a list of them, so that others can be added beside it. */
export function statementAround(node: Node): Statement {
  for (let one: Node | undefined = node; one !== undefined; one = one.getParent()) {
    const parent = one.getParent();
    const isListed =
      Node.isSourceFile(parent) || Node.isBlock(parent) || Node.isModuleBlock(parent);
    if (isListed && Node.isStatement(one)) return one;
  }
  throw new NotEditable("There is no place for another statement beside the call of createApp");
}

/** Where a statement begins with the comments directly above it, of which no empty line separates it. */
export function blockStart(statement: Statement): number {
  const text = statement.getSourceFile().getFullText();
  let start = statement.getStart();
  for (const range of statement.getLeadingCommentRanges().toReversed()) {
    const between = text.slice(range.getEnd(), start);
    const isFirst =
      text.slice(text.lastIndexOf("\n", range.getPos()) + 1, range.getPos()).trim() === "";
    if ((between.match(/\n/g)?.length ?? 0) > 1 || !isFirst) break;
    start = range.getPos();
  }
  return start;
}
