import { isUtf8 } from "node:buffer";
import { accessSync, constants, readFileSync, realpathSync } from "node:fs";
import type { Node, Project, SourceFile } from "ts-morph";
import { findDescriptors } from "../../../generator/descriptor/find.js";
import { readDescriptors } from "../../../generator/descriptor/read.js";
import { namesOf } from "../../../generator/model/names.js";
import { writeWhole } from "../../../generator/output/write.js";
import { requireSources } from "../../../runtime/command/app/folder.js";
import { CommandRefused, type ExitCode, exit } from "../../../runtime/command/exit.js";
import { fail, passOn, sayDone } from "../../../runtime/command/report.js";
import { didYouMean } from "../../../runtime/values/nearest.js";
import { listWordsBriefly } from "../../../runtime/values/text.js";
import { NotEditable, openAppCode, pathOf, placeOf } from "./code/project.js";
import { type AppFunction, addFunction, functionText } from "./function/function.js";
import { isGeneratedRoute } from "./route/path.js";
import { addRoute, routerText } from "./route/route.js";

/** Adds a resource's hook or policy to app code. */
export function addAppFunction(
  root: string,
  named: string,
  given: Pick<AppFunction, "group" | "name" | "signature">,
): ExitCode {
  const descriptors = descriptorsOf(root);
  const names = descriptors.map(({ name }) => name);
  const descriptor = descriptors.find(
    (one) => one.name === named || namesOf(one).collection === named,
  );
  if (descriptor === undefined) {
    const known = names.length === 0 ? "none" : listWordsBriefly(names);
    const hint = didYouMean(named, names) ?? `the resources are: ${known}`;
    throw new CommandRefused(`There is no resource "${named}"`, hint);
  }
  const { name: resource } = descriptor;
  const { collection, type } = namesOf(descriptor);
  const wanted = { ...given, resource, collection, type };
  return editAppCode(root, {
    words: `${given.group === "hooks" ? "hook" : "policy"} ${given.name} of ${resource}`,
    edit: (project) => addFunction(project, wanted),
    toPaste: `${place}:\n${functionText(wanted)},\n`,
  });
}

/** Adds a GET route below `/api` to app code; `path` begins with a slash. */
export function addAppRoute(root: string, path: string): ExitCode {
  const names = descriptorsOf(root).map(({ name }) => name);
  if (isGeneratedRoute(path, names)) {
    throw new CommandRefused(`GET /api${path} is a generated route`, "choose another path");
  }
  const router = routerText("routes", "Router", path);
  return editAppCode(root, {
    words: `route ${path}`,
    edit: (project) => addRoute(project, path),
    toPaste: `import { Router } from "express";\n\n${router}\n\n${place}:\nroutes,\n`,
  });
}

const place = "// In the options object passed to createApp";

/** Descriptors with errors are included, as only their names are needed. */
function descriptorsOf(root: string) {
  requireSources(root);
  return readDescriptors(findDescriptors(root)).descriptors;
}

interface Addition {
  /** For example `hook beforeCreate of products`. */
  readonly words: string;
  /** Returns the file edited in memory or, if the addition already exists, its node. */
  edit(project: Project): SourceFile | { readonly there: Node };
  /** What the author must add if the code cannot be edited safely. */
  readonly toPaste: string;
}

function editAppCode(root: string, { words, edit, toPaste }: Addition): ExitCode {
  try {
    const project = openAppCode(root);
    const file = edit(project);
    if ("there" in file) {
      throw new CommandRefused(`There is already a ${words}: ${placeOf(file.there)}`);
    }
    const path = realpathSync(file.getFilePath());
    const former = readFileSync(path);
    if (!isUtf8(former)) throw new NotEditable(`${pathOf(file)} is not valid UTF-8`);
    // Checks that a second run would find the addition.
    if (!("there" in edit(project)))
      throw new NotEditable(`${pathOf(file)} cannot be edited automatically`);
    accessSync(path, constants.W_OK);
    const mark = former.toString().startsWith("\uFEFF") ? "\uFEFF" : "";
    writeWhole(path, mark + file.getFullText());
    sayDone(`Added the ${words} to ${pathOf(file)}`);
    return exit.done;
  } catch (error) {
    if (!(error instanceof NotEditable)) throw error;
    fail(error.message, "nothing was changed; this is the code to paste");
    passOn(toPaste);
    return exit.mustChange;
  }
}
