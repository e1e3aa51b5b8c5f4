import { join } from "node:path";
import { findDescriptors } from "../../../../generator/descriptor/find.js";
import { generate } from "../../../../generator/generate.js";
import { resourceNamePattern } from "../../../../generator/kind/field.js";
import { accounts } from "../../../../generator/resolve/names/stored.js";
import { requireSources } from "../../../../runtime/command/app/folder.js";
import { CommandRefused, type ExitCode, exit } from "../../../../runtime/command/exit.js";
import { count, fail, say, sayAside } from "../../../../runtime/command/report.js";
import { readClientFolder, readProfileNames } from "../../../../runtime/config/lenient.js";
import { formatProblem, type Problem } from "../../../../runtime/values/problem.js";
import { writeNew } from "../../../app/write-new.js";
import { descriptorText, fieldOfLine } from "./descriptor-text.js";
import { readFieldArgument, type WrittenField } from "./field-argument.js";

/** Writes the descriptor of a new resource, unless it exists or `generate` would refuse it. */
export async function addResource(
  root: string,
  name: string,
  written: readonly string[],
): Promise<ExitCode> {
  requireSources(root);
  if (!resourceNamePattern.test(name)) {
    throw new CommandRefused(`"${name}" cannot be a resource's name`, nameRule);
  }
  const there = findDescriptors(root).map(({ path }) => path);
  const former = there.find((path) => nameOf(path) === name);
  if (former !== undefined) throw alreadyThere(former);
  const path = `resources/${name}.yaml`;
  const read = readFields(written, [...new Set([...there.map(nameOf), name, accounts])]);
  const text = descriptorText(read.fields.map(({ field }) => field));
  const { problems } = await generate({
    root,
    name: null,
    profiles: readProfileNames(root),
    client: readClientFolder(root),
    drafts: [{ path, text }],
  });
  const own = problems.filter(({ file }) => file === path);
  const others = problems.filter(({ file }) => file !== path);
  const mistakes = [...read.mistakes, ...own.map((problem) => aboutArgument(problem, read.fields))];
  for (const { about, message, hint } of mistakes) fail(`${about ?? name}: ${message}`, hint);
  for (const problem of others) fail(formatProblem(problem));
  if (mistakes.length + others.length > 0) {
    fail(`${count(mistakes.length + others.length, "problem")}; nothing was written`);
    return exit.mustChange;
  }
  if (!(await writeNew(join(root, path), text))) throw alreadyThere(path);
  say(`wrote  ${path}`);
  sayAside(
    "npx service generate writes its code and its migration; a running npx service dev does this automatically",
  );
  return exit.done;
}

const nameRule =
  "a name begins with a letter and contains only lower-case letters, digits and single dashes between words: order-items";

function alreadyThere(path: string): CommandRefused {
  return new CommandRefused(`${path} already exists`, "edit it, or choose another name");
}

function nameOf(path: string): string {
  return path.replace(/^.*\//, "").replace(/\.[^.]+$/, "");
}

interface ReadField {
  readonly argument: string;
  readonly field: WrittenField;
}

interface Mistake {
  /** The faulty argument; null if the mistake concerns the whole resource. */
  readonly about: string | null;
  readonly message: string;
  readonly hint: string | null;
}

function readFields(written: readonly string[], targets: readonly string[]) {
  const fields: ReadField[] = [];
  const mistakes: Mistake[] = [];
  for (const argument of written) {
    const read = readFieldArgument(argument, targets);
    if ("message" in read) mistakes.push({ about: argument, ...read });
    else fields.push({ argument, field: read });
  }
  return { fields, mistakes };
}

/** Attributes a problem of the descriptor, which was not written, to the argument that the line was generated from. */
function aboutArgument({ line, message, hint }: Problem, fields: readonly ReadField[]): Mistake {
  const at = fieldOfLine(line);
  return { about: at === null ? null : (fields[at]?.argument ?? null), message, hint };
}
