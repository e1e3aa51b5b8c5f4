import { shortened } from "../model/names.js";

/**
 * Names of constraints and indexes. Neither tables nor columns ever have two underscores in a row, so
 * no two objects of a schema can get the same name, and none that of a table.
 */
export function objectName(table: string, column: string, what: string): string {
  return shortened(`${table}__${column}__${what}`);
}

export function uniqueIndexName(table: string, column: string): string {
  return objectName(table, column, "unique");
}

export function linkName(table: string, column: string): string {
  return objectName(table, column, "link");
}

export function searchName(table: string): string {
  return shortened(`${table}__search`);
}

export function tallyName(table: string): string {
  return shortened(`${table}__tally`);
}

export function primaryKeyName(table: string): string {
  return shortened(`${table}__pk`);
}
