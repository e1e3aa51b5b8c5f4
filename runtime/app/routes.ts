import type { Route } from "../http/index.js";
import { healthRoutes, statusRoute, storedNumbers } from "../operation/index.js";
import { batchRoute, routesOf } from "../resource/index.js";
import type { Opened } from "./open.js";
import { exchangeNumbers } from "./processes/numbers.js";
import { accountRoutes, forOperators } from "./routes/account-routes.js";
import { agentRoutes } from "./routes/agent-routes.js";
import { docsRoutes } from "./routes/docs-routes.js";
import { jobRoutes } from "./routes/job-routes.js";
import { openapiRoute } from "./routes/openapi-route.js";
import { signedRoutes } from "./routes/signed-routes.js";
import { systemRoutes, version } from "./routes/system-routes.js";
import type { Generated } from "./start/generated.js";
import type { Process } from "./start/process.js";

export interface AppRoutes {
  /** All routes, including the package's own. */
  readonly routes: readonly Route[];
  readonly generated: readonly Route[];
}

export function routesOfApp(
  { root, role, config }: Process,
  { resources: definitions, accounts }: Generated,
  opened: Opened,
): AppRoutes {
  const { own, code, descriptors, uploads, checks, drain } = opened;
  const { jobs, webhooks, streams, history, counts, release } = opened;
  const { services } = own;
  const generated = signedRoutes(
    services,
    definitions,
    definitions.flatMap((one) => routesOf(one, one.routes)),
  );
  const packaged: readonly Route[] = [
    ...healthRoutes({ drain, checks }),
    ...systemRoutes(descriptors, definitions, { jobs, webhooks }),
    openapiRoute(root, services),
    ...docsRoutes(config),
    ...uploads.routes,
    ...accountRoutes(config.auth, { accounts, definitions, uploads }),
    ...forOperators(config.auth, (roles) => [
      statusRoute(roles, {
        version,
        numbers: role.kind === "worker" ? exchangeNumbers(counts.numbers) : counts.all,
        stored: storedNumbers(services.db, { release, definitions }),
      }),
      ...(jobs === null ? [] : jobRoutes(roles, code.jobs, jobs.wake)),
      ...(webhooks?.routes(roles) ?? []),
    ]),
    ...signedRoutes(services, definitions, [...history, batchRoute(definitions)]),
    ...(streams === null ? [] : [streams.route]),
  ];
  const { tools } = code;
  const tooled = agentRoutes(own, { tools, definitions, routes: [...packaged, ...generated] });
  return { routes: [...packaged, ...tooled, ...generated], generated };
}
