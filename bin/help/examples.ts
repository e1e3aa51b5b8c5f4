import type { Examples } from "../../runtime/command/help/examples.js";

/** Examples of the program and of the commands that need a compiler or the embedded database. */
export const examples: Examples = {
  "": "npx service init shop",
  init: "npx service init shop --template shop",
  add: "npx service add resource products name:string:120! price:number:2!",
  "add resource":
    "npx service add resource products name:string:120! price:number:2! status:enum:draft,live category:categories",
  "add hook": "npx service add hook products beforeCreate",
  "add policy": "npx service add policy products update",
  "add route": "npx service add route reports/daily",
  adopt: "npx service adopt --dry-run",
  generate: "npx service generate --check",
  dev: "npx service dev",
  "db reset": "npx service db reset --yes",
  upgrade: "npx service upgrade --dry-run",
  completion: "npx service completion bash",
};
