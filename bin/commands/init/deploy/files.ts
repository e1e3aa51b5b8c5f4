import { render } from "../../../../generator/text/templates.js";
import { readAllowances, readVariableNames } from "../../../../runtime/config/index.js";
import type { StarterFile } from "../files.js";
import { machineName, titleOf } from "../name.js";
import { grafanaDashboard } from "./grafana.js";
import { files, type Place, variables } from "./places.js";

/** Seconds that each kind of deployment gives load balancers to notice that a server is stopping. */
const delays: Readonly<Record<Place, number>> = { docker: 3, systemd: 3, kubernetes: 5 };

/** Further seconds that a stopping server may take: for the longest statement (10 s) and the exit of its processes. */
const lastSeconds = 20;

/** The files that deploy the app in that folder to these places. */
export function deployFiles(root: string, places: readonly Place[]): readonly StarterFile[] {
  if (places.length === 0) return [];
  const name = machineName(root);
  const title = titleOf(name);
  const { maxBytes, resumableBytes, drainSeconds, drainDelaySeconds } = readAllowances(root);
  const wanted = files.filter(
    ({ for: those }) => those === null || those.some((place) => places.includes(place)),
  );
  return wanted.map(({ path, template, for: those }) => {
    if (template === null) return { path, text: grafanaDashboard(title) };
    const delay = Math.max(drainDelaySeconds, ...(those ?? []).map((place) => delays[place]));
    const view = {
      name,
      title,
      maxBytes: String(maxBytes),
      resumable: resumableBytes === null ? [] : [{ bytes: String(resumableBytes) }],
      stopSeconds: String(delay + drainSeconds + lastSeconds),
    };
    return { path, text: render(`deploy/${template}`, view) };
  });
}

/** Returns the variables that the files of these places set, but that the app's `service.yaml` does not read. */
export function unreadVariables(root: string, places: readonly Place[]): readonly string[] {
  const read = readVariableNames(root);
  const set = new Set(places.flatMap((place) => variables[place]));
  return [...set].filter((name) => !read.has(name));
}
