import type { Rows } from "./view.js";

const id = { name: "id", kind: "id", required: true } as const;
const name = { name: "name", kind: "string", required: true } as const;

/** The fields of an account that conditions may use. */
export const accountNames: Rows = {
  resource: "users",
  name: "service.users",
  columns: { id, name },
};

/** The fields of an account that others may see. */
export const accountProfiles: Rows = {
  ...accountNames,
  columns: { id, name, image: { name: "avatar", kind: "file", required: false } },
};
