import type { ServerResponse } from "node:http";

const works = new WeakMap<ServerResponse, Promise<unknown>>();

/** Counts a request as in flight until its work has settled, even when its client has gone before. */
export function attachWork(response: ServerResponse, work: Promise<unknown>): void {
  works.set(response, work);
}

/** What was attached last; undefined where nothing was. */
export function workOf(response: ServerResponse): Promise<unknown> | undefined {
  return works.get(response);
}
