import { Node, SyntaxKind } from "ts-morph";
import { objectOf, type WrittenObject } from "./literals.js";
import { NotEditable } from "./not-editable.js";
import { type OwnCode, placeOf } from "./own-code.js";

/**
 * The object that the one call of `createApp` in the app's own code is given; a call without arguments gets an empty one,
 * in memory. By its type, the function is known under every name.
 */
export function createAppOptions(code: OwnCode): WrittenObject {
  const calls = code.files
    .flatMap((file) => file.getDescendantsOfKind(SyntaxKind.CallExpression))
    .filter((call) => {
      const called = call.getExpression().getType().getSymbol()?.getDeclarations() ?? [];
      return called.some((one) => one.getSourceFile() === code.generated);
    });
  const [call, second] = calls;
  if (call === undefined) {
    throw new NotEditable(
      "Neither server.ts nor what it imports calls createApp of ./generated/app.js",
    );
  }
  if (second !== undefined) {
    const places = calls.map((one) => placeOf(code.root, one)).join(" and ");
    throw new NotEditable(`createApp is called more than once: ${places}`);
  }
  if (call.getArguments().length === 0) call.addArgument("{}");
  const [argument] = call.getArguments();
  if (!Node.isExpression(argument)) throw new NotEditable("createApp is given no object");
  return objectOf(code, argument, true);
}
