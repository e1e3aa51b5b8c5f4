import type { AppCode, Caller } from "../../../runtime/own-code/index.js";

/** For services without app code. */
export const noAppCode: AppCode = {
  policies: {},
  hooks: {},
  guards: {},
  resourcesOf: () => ({}),
  explain: async (error) => {
    throw error;
  },
  filesOf: () => ({ store: async () => "", read: async () => null }),
  jobs: { check: () => Promise.reject(new Error("There are no jobs")), wake: () => {} },
  runAfter: () => {},
  isBusy: () => false,
};

export function localsOf(caller: Caller | null) {
  return { caller, resources: {}, traceparent: null };
}
