import type { Descriptor } from "../../descriptor/descriptor.js";
import { searchLanguages } from "../../descriptor/section/search.js";
import type { LinkName, Search, SearchField } from "../../model/model.js";
import { linkNames, listNames } from "../inverses.js";
import { columnIn, columnOf, targetOf } from "../names/stored.js";
import { valuesOf } from "./problems.js";

type Descriptors = readonly Descriptor[];

/** Resolves a descriptor's `search` that has no problems. */
export function searchOf(descriptor: Descriptor, descriptors: Descriptors): Search | null {
  const { search, fields } = descriptor;
  if (search === null) return null;
  const field = searchLanguages.includes(search.language)
    ? undefined
    : fields.find(({ name }) => name === search.language);
  const named = field === undefined ? [search.language] : [...valuesOf(field), "simple"];
  const readers = search.fields.map((one) => readersOf(one.name, descriptor, descriptors));
  const groups = [...new Set(readers)].sort(
    (one, other) => Number(one !== everyone) - Number(other !== everyone),
  );
  return {
    language: search.language,
    languageColumn: field === undefined ? null : columnOf(field),
    languages: [...new Set(named)],
    accents: search.accents,
    fields: search.fields.map((one, at): SearchField => {
      const { name, weight } = one;
      const found = partsOf(name, descriptor, descriptors);
      return {
        ...{ name, weight, group: groups.indexOf(readers[at] ?? everyone) },
        ...{ field: found.field.name, column: columnOf(found.field) },
        isLong: found.field.kind?.isLong === true,
        isList: found.field.kind?.isList === true,
        link: found.link,
      };
    }),
  };
}

function partsOf(name: string, descriptor: Descriptor, descriptors: Descriptors) {
  const dot = name.indexOf(".");
  const own = (from: Descriptor, field: string) => {
    const found = from.fields.find((one) => one.name === field);
    if (found === undefined) throw new Error(`"${field}" is not a field of "${from.name}"`);
    return found;
  };
  if (dot < 0) return { field: own(descriptor, name), link: null };
  const isNamed = (one: LinkName) => one.name === name.slice(0, dot);
  const list = listNames(descriptor).find(isNamed);
  const link = list ?? linkNames(descriptor).find(isNamed);
  const target = descriptors.find((one) => one.name === link?.resource);
  if (link === undefined || target === undefined) throw new Error(`"${name}" leads nowhere`);
  const { resource } = link;
  const column = columnIn(descriptor, link.field);
  return {
    field: own(target, name.slice(dot + 1)),
    link: {
      field: link.field,
      column,
      isList: list !== undefined,
      resource,
      table: targetOf(resource, descriptors).table,
    },
  };
}

const everyone = "";

/** Returns a key that is equal for fields that the same callers can read. */
function readersOf(name: string, descriptor: Descriptor, descriptors: Descriptors): string {
  const { field, link } = partsOf(name, descriptor, descriptors);
  const through = descriptor.fields.find((one) => one.name === link?.field);
  const rules = [field.access.read, through?.access.read].filter(
    (rule) => rule !== undefined && rule !== null,
  );
  return rules.length === 0 ? everyone : JSON.stringify(rules);
}
