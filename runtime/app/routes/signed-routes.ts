import { type Route, withAnswers } from "../../http/index.js";
import type { Services } from "../../own-code/index.js";
import { type ResourceDefinition, reachesPrivate } from "../../resource/index.js";

/**
 * Wraps the routes whose responses may contain records with private files, to sign the URLs of the files. A route of
 * several resources, such as batches, does so if one of them has private files.
 */
export function signedRoutes(
  { signFiles }: Pick<Services, "signFiles">,
  definitions: readonly ResourceDefinition[],
  routes: readonly Route[],
): readonly Route[] {
  const reaching = new Map(
    definitions.map(({ table }) => [table.resource, reachesPrivate(table)] as const),
  );
  if (![...reaching.values()].includes(true)) return routes;
  return routes.map((route) => {
    const [, resource = ""] = route.path.split("/");
    return reaching.get(resource) === false ? route : withAnswers(route, signFiles);
  });
}
