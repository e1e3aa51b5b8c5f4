/**
 * Every name of the runtime that emitted code may use, by the module that exports it. A test compares this list with
 * the runtime's exports.
 */
export const runtimeSymbols = {
  "service-runtime/app": [
    "AccountDeletion",
    "App",
    "AppOptions",
    "GeneratedResource",
    "createGeneratedApp",
  ],
  "service-runtime/http": ["AppRouteLocals"],
  "service-runtime/resource": [
    "Queries",
    "Shape",
    "Table",
    "aggregateByBody",
    "aggregateRecords",
    "boolean",
    "countRecords",
    "createRecord",
    "date",
    "decimal",
    "deleteRecord",
    "enumeration",
    "fileKey",
    "getRecord",
    "integer",
    "json",
    "listOf",
    "listRecords",
    "number",
    "optionalString",
    "optionalText",
    "queryRecords",
    "reference",
    "references",
    "replaceRecord",
    "restoreRecord",
    "string",
    "text",
    "timestamp",
    "updateRecord",
  ],
  "service-runtime/own-code": [
    "AccountWhere",
    "CheckedHooks",
    "FilesWhere",
    "HooksOf",
    "InverseWhere",
    "JobInputs",
    "JsonCondition",
    "JsonValue",
    "Jobs",
    "LinksWhere",
    "PoliciesOf",
    "RecordWhere",
    "ResourcesOf",
    "Schedules",
    "Tools",
    "TypesOf",
  ],
  "service-runtime/uploads": ["FileDetails"],
} as const;

type Module = keyof typeof runtimeSymbols;
export type RuntimeSymbol = (typeof runtimeSymbols)[Module][number];

export function moduleOf(symbol: RuntimeSymbol): string {
  for (const [module, symbols] of Object.entries(runtimeSymbols)) {
    if (symbols.some((name) => name === symbol)) return module;
  }
  throw new Error(`Emitted code may not use ${symbol}`);
}

export function isRuntimeSymbol(name: string): name is RuntimeSymbol {
  return Object.values(runtimeSymbols).some((symbols) => symbols.some((symbol) => symbol === name));
}
