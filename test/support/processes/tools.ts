/**
 * For `execa`: tools come from the checkout's `node_modules/.bin`. Through `npx`, npm would add remarks
 * on the settings of whoever runs the tests to what a tool prints.
 */
export const localTools = { preferLocal: true, localDir: import.meta.dirname } as const;
