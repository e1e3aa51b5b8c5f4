import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Node, Project, SyntaxKind } from "ts-morph";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

/** Which argument of these is a hint, from 0. */
const hintArguments: ReadonlyMap<string, number> = new Map([
  ["CommandRefused", 1],
  ["EmbeddedError", 1],
  ["MigrationError", 1],
  ["RowsInTheWay", 2],
  ["environmentProblem", 1],
  ["fail", 1],
  ["foundRows", 2],
  ["problem", 2],
  ["problemAt", 2],
  ["problemAtKey", 2],
  ["refused", 1],
  ["report", 2],
  ["warning", 2],
  ["withHint", 1],
]);

const isName = (name: string) => /^(?:hints?|fix(?:es)?)$|^(?:hint|fix)[A-Z]|Hints?$/.test(name);

/** Every text in the source that a hint is, or is made of, with its place. */
function hintsOf(): readonly { readonly place: string; readonly text: string }[] {
  const project = new Project({ skipAddingFilesFromTsConfig: true });
  for (const file of ["bin", "generator", "runtime"].flatMap(sourcesIn).filter(mayHoldHints)) {
    project.addSourceFileAtPath(join(root, file));
  }
  return project.getSourceFiles().flatMap((file) => {
    const path = file.getFilePath().slice(root.length + 1);
    const found = new Set<Node>();
    const take = (node: Node | undefined) => {
      for (const text of textsIn(node)) found.add(text);
    };
    file.forEachDescendant((node) => {
      const named =
        node.asKind(SyntaxKind.VariableDeclaration) ?? node.asKind(SyntaxKind.PropertyAssignment);
      if (named !== undefined && isName(named.getName())) take(named.getInitializer());
      const made = node.asKind(SyntaxKind.FunctionDeclaration);
      if (made !== undefined && isName(made.getName() ?? "")) {
        for (const answer of made.getDescendantsOfKind(SyntaxKind.ReturnStatement)) {
          take(answer.getExpression());
        }
      }
      const call = node.asKind(SyntaxKind.CallExpression) ?? node.asKind(SyntaxKind.NewExpression);
      const callee = call?.getExpression().getText().split(".").at(-1) ?? "";
      const at = hintArguments.get(callee);
      if (at !== undefined) take(call?.getArguments()[at]);
    });
    return [...found].map((node) => ({
      place: `${path}:${node.getStartLineNumber()}`,
      text: node
        .getText()
        .slice(1, -1)
        .replace(/\$\{[^}]*\}/g, "…"),
    }));
  });
}

function sourcesIn(room: string): readonly string[] {
  return readdirSync(join(root, room), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.startsWith("dist/"))
    .map((name) => join(room, name));
}

/** To parse the others takes as long again. */
function mayHoldHints(file: string): boolean {
  return /hint|fix|fail\(|problem|Error\(/i.test(readFileSync(join(root, file), "utf8"));
}

/** The whole texts of an expression: of a choice all, of what a call is given none. */
function textsIn(node: Node | undefined): readonly Node[] {
  if (node === undefined) return [];
  switch (node.getKind()) {
    case SyntaxKind.StringLiteral:
    case SyntaxKind.NoSubstitutionTemplateLiteral:
    case SyntaxKind.TemplateExpression:
      return [node];
    case SyntaxKind.ConditionalExpression:
      return node.forEachChildAsArray().slice(1).flatMap(textsIn);
    case SyntaxKind.BinaryExpression: {
      const [left, operator, right] = node.forEachChildAsArray();
      // What is appended continues in the middle of a hint.
      return operator?.getKind() === SyntaxKind.PlusToken
        ? textsIn(left)
        : [...textsIn(left), ...textsIn(right)];
    }
    case SyntaxKind.AsExpression:
    case SyntaxKind.ParenthesizedExpression:
    case SyntaxKind.ObjectLiteralExpression:
      return node.forEachChildAsArray().flatMap(textsIn);
    case SyntaxKind.PropertyAssignment:
      return textsIn(node.asKindOrThrow(SyntaxKind.PropertyAssignment).getInitializer());
    default:
      return [];
  }
}

/** Begins with a small letter or with a name, and is one sentence without its full stop. */
function isHint(text: string): boolean {
  const isSentence = /^(?!PostgreSQL\b)[A-Z](?:[a-z]| )|\.$|\. [A-Z]/.test(text);
  return !isSentence && !/\bmend\b/i.test(text);
}

test("hints have one form: an instruction, in lower case, without a full stop", () => {
  const hints = hintsOf();
  expect(hints.length).toBeGreaterThan(150);
  expect(hints.filter(({ text }) => !isHint(text))).toEqual([]);
});
