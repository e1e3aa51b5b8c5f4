import type { z } from "zod";
import type { TableRule } from "./rule.js";
import type { Table } from "./table.js";

/** The generated description of a resource, for code outside its handlers. */
export interface ResourceDefinition {
  readonly table: Table<never>;
  readonly shapes: Shapes;
  readonly access: Readonly<Record<Action, TableRule>>;
}

export type Action = "list" | "get" | "stats" | "create" | "update" | "delete";

/** The validation of bodies, by kind of write. */
export interface Shapes {
  readonly create: AnyShape;
  readonly replace: AnyShape;
  readonly update: AnyShape;
}

/** A schema per field that turns a body's value into the stored value. */
export type Shape<Values> = { readonly [Key in keyof Values]: z.ZodType<Values[Key]> };

export type AnyShape = Readonly<Record<string, z.ZodType>>;
