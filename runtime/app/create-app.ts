import type { JobInputs } from "../own-code/index.js";
import { openApp } from "./open.js";
import type { App } from "./processes/around.js";
import { processIn } from "./role.js";
import { routesOfApp } from "./routes.js";
import { appOf } from "./serve.js";
import type { AppOptions } from "./start/app-code.js";
import { appFolder } from "./start/folder.js";
import type { Generated } from "./start/generated.js";
import { startOrExit } from "./start/start-or-exit.js";

/**
 * Reads the configuration, opens the database and assembles the app. If it cannot start, writes the problems to
 * standard error, one per line, and exits with status 1.
 */
export function createGeneratedApp<Resources, Inputs = JobInputs>(
  generated: Generated,
  options: AppOptions<object, object, object, object, object>,
): Promise<App<Resources, Inputs>> {
  return startOrExit(async () => {
    const process = await processIn(appFolder(generated.location));
    // The generated types are narrower than the general ones; opening the app checks what they promise.
    const opened = await openApp(process, generated, options as AppOptions);
    const app = await appOf(
      { process, generated, opened },
      routesOfApp(process, generated, opened),
    );
    // The generated code knows the type of each resource.
    return app as App<Resources, Inputs>;
  });
}
