import type { Parameters } from "../../http/index.js";
import { type AskedInclude, includedRange } from "./include.js";

/** Takes `include` and its options from an address. */
export function takeIncludes(parameters: Parameters): readonly AskedInclude[] | undefined {
  const names = parameters.takeList("include");
  const asked = [...new Set(names)].map((name) => ({
    name,
    fields: parameters.takeList(`include[${name}][fields]`),
    sort: parameters.takeList(`include[${name}][sort]`),
    perPage: parameters.takeInteger(`include[${name}][perPage]`, perPageRange),
  }));
  for (const other of parameters.takeNames("include[")) {
    parameters.reject(other, "Is no option of what is included");
  }
  if (names !== undefined && asked.length < names.length) {
    parameters.reject("include", "Names one of them twice");
  }
  return names === undefined ? undefined : asked;
}

const perPageRange = { ...includedRange, default: undefined };
