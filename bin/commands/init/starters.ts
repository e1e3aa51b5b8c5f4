/** The initial content of a new app. */
export interface Starter {
  /** Path below `templates/starter/`, with a trailing slash; empty for the folder itself. */
  readonly folder: string;
  readonly resources: readonly string[];
  /** The path below `/api` that the app's README lists first. */
  readonly path: string;
  /** The sentence about the starter in the README. */
  readonly remark: string;
}

export const starterNames = ["shop", "notes", "blank"] as const;

export type StarterName = (typeof starterNames)[number];

const starters: Readonly<Record<StarterName, Starter>> = {
  shop: {
    folder: "shop/",
    resources: named(["categories", "products", "orders", "order-items"]),
    path: "products",
    remark:
      "Only administrators may change products, and only they and the order's customer can see an order: see `access` in\n`resources/`.",
  },
  notes: {
    folder: "notes/",
    resources: named(["notebooks", "notes"]),
    path: "notes",
    remark: "Accounts can see only their own notes: see `owner` in `resources/notes.yaml`.",
  },
  blank: {
    folder: "blank/",
    resources: [],
    path: "_service/resources",
    remark:
      "There is no resource yet: `npx service add resource products name:string:120!` writes the first descriptor.",
  },
};

const usual: Starter = {
  folder: "",
  resources: named(["tasks"]),
  path: "tasks",
  remark: "Only administrators may delete tasks: see `access` in `resources/tasks.yaml`.",
};

/** The starter of that name; null selects the default. */
export function starterNamed(name: StarterName | null): Starter {
  return name === null ? usual : starters[name];
}

function named(names: readonly string[]): readonly string[] {
  return names.map((name) => `resources/${name}.yaml`);
}
