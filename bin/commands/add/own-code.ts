import { findDescriptors } from "../../../generator/descriptor/find.js";
import { readDescriptors } from "../../../generator/descriptor/read.js";
import { namesOf } from "../../../generator/model/names.js";
import { didYouMean } from "../../../runtime/values/nearest.js";
import { listWordsBriefly } from "../../../runtime/values/text.js";
import { requireSources } from "../../app/folder.js";
import { CommandRefused, type ExitCode } from "../../exit.js";
import { usualStyle } from "./code/style.js";
import { editOwnCode } from "./edit.js";
import { addFunction, functionText, ownFunction } from "./function/function.js";
import { hookSignatures, policySignatures, type Signature } from "./function/signature.js";
import { isGeneratedRoute } from "./route/path.js";
import { addRoute, routeLines } from "./route/route.js";

export type HookName = keyof typeof hookSignatures;
export type PolicyName = keyof typeof policySignatures;

/** Adds a hook of a resource to the app's own code. */
export function addHook(root: string, resource: string, name: HookName): ExitCode {
  return addTo(root, resource, { what: "hook", name, signature: hookSignatures[name] });
}

/** Adds a policy of a resource, which allows everything as yet, to the app's own code. */
export function addPolicy(root: string, resource: string, name: PolicyName): ExitCode {
  return addTo(root, resource, { what: "policy", name, signature: policySignatures[name] });
}

function addTo(
  root: string,
  resource: string,
  { what, name, signature }: { what: string; name: string; signature: Signature },
): ExitCode {
  const descriptors = descriptorsOf(root);
  const descriptor = descriptors.find(
    (one) => one.name === resource || namesOf(one).collection === resource,
  );
  if (descriptor === undefined) {
    const names = descriptors.map((one) => one.name);
    const known = names.length === 0 ? "none" : listWordsBriefly(names);
    const hint = didYouMean(resource, names) ?? `the resources are: ${known}`;
    throw new CommandRefused(`There is no resource "${resource}"`, hint);
  }
  const wanted = ownFunction(descriptor, name, signature);
  return editOwnCode(root, {
    words: `${what} ${name} of ${descriptor.name}`,
    edit: (code) => addFunction(code, wanted),
    toPaste: [`${given}:`, `${functionText(wanted)},`],
  });
}

/** Adds a GET route below `/api` to the app's own code; `path` begins with a slash. */
export function addOwnRoute(root: string, path: string): ExitCode {
  const names = descriptorsOf(root).map(({ name }) => name);
  if (isGeneratedRoute(path, names)) {
    throw new CommandRefused(`GET /api${path} is a generated route`, "choose another path");
  }
  return editOwnCode(root, {
    words: `route ${path}`,
    edit: (code) => addRoute(code, path),
    toPaste: [
      'import { Router } from "express";',
      "",
      "const routes = Router();",
      ...routeLines("routes", path, usualStyle),
      "",
      `${given}:`,
      "routes,",
    ],
  });
}

const given = "// In the object that createApp is given";

/** Those of broken files too: only their names are needed. */
function descriptorsOf(root: string) {
  requireSources(root);
  return readDescriptors(findDescriptors(root)).descriptors;
}
