import { Refusal } from "../errors/index.js";
import type { HandledRoute } from "../http/index.js";

const noCache = { "cache-control": "no-store" };

/** The same route, whose answers and refusals nobody on the way may keep. */
export function noStore(route: HandledRoute): HandledRoute {
  return {
    ...route,
    handle: async (context) => {
      try {
        const answer = await route.handle(context);
        return { ...answer, headers: { ...answer.headers, ...noCache } };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const { code, details } = error;
        throw new Refusal(code, { ...details, headers: { ...details.headers, ...noCache } });
      }
    },
  };
}
