import { Link } from "wouter";
import type { Field, Resource } from "../api/client/types.js";
import { listAddress, may } from "../api/records/descriptors.js";
import { enRecord } from "../text/en/record.js";
import { count } from "../text/format.js";

const text = enRecord;

/** A link to the record that is to be deleted. */
export interface LinkHere {
  readonly resource: Resource;
  readonly field: Field;
}

/** The number of records with that link; undefined if unknown. */
export interface Dependant extends LinkHere {
  readonly total: number | undefined;
}

export function mayCount({ resource, field }: LinkHere): boolean {
  return resource.can?.stats !== false && field.readable !== false;
}

/** Whether a link prevents the deletion. Required links do, unless their records are deleted too. */
export function keeps({ required, onDelete }: Field): boolean {
  return required === true && onDelete !== "cascade";
}

/**
 * Shows how many records prevent a deletion, are deleted too or lose their link; each number leads to the list of its
 * records.
 */
export function DependantList({
  dependants,
  id,
}: {
  readonly dependants: readonly Dependant[];
  /** The id of the record; null if there are several. */
  readonly id: string | null;
}) {
  if (dependants.length === 0) return null;
  return (
    <ul className="stack near">
      {dependants.map((dependant) => (
        <li key={`${dependant.resource.name} ${dependant.field.name}`} className="row wrap">
          <span>{wordsOf(dependant)}</span>
          {id !== null && may(dependant.resource, "list") ? (
            <Link
              className="small"
              aria-label={`${text.show}: ${dependant.resource.label}`}
              href={pathOf(dependant, id)}
            >
              {text.show}
            </Link>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

function pathOf({ resource, field }: LinkHere, id: string): string {
  return listAddress(resource, String(new URLSearchParams({ [`filter[${field.name}]`]: id })));
}

function wordsOf({ field, resource, total }: Dependant): string {
  if (total === undefined) return text.mayBelong(resource.label);
  const isOne = total === 1;
  const label = isOne ? resource.singular : resource.label;
  const words = { count: count(total), label, isOne };
  if (keeps(field)) return text.keeps(words);
  return field.onDelete === "cascade" ? text.goesWith(words) : text.losesLink(words);
}
