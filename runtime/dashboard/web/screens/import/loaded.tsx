import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState } from "react";
import { useSession } from "../../api/account/session.js";
import { sentence } from "../../api/client/errors.js";
import type { Resource } from "../../api/client/types.js";
import { labelOf, may, things } from "../../api/records/descriptors.js";
import { isIdOf } from "../../api/records/fields.js";
import { linksQuery } from "../../api/records/queries.js";
import { Choice } from "../../parts/form/choice.js";
import { Failure } from "../../parts/page/page.js";
import { Notice } from "../../parts/status/notice.js";
import { enImport } from "../../text/en/import.js";
import { listed } from "../../text/format.js";
import { type CheckOptions, checked, type Found } from "./check.js";
import { Columns } from "./columns.js";
import type { Table } from "./csv.js";
import { findLinks } from "./links.js";
import {
  doubledFields,
  guessed,
  importFields,
  keysOf,
  missingFields,
  upsertFields,
  withKeys,
  withNumbers,
} from "./mapping.js";
import { NotationFields } from "./notation/fields.js";
import { type Fixed, FixedFields } from "./notation/fixed.js";
import { nothingTyped, readNotation } from "./notation/notation.js";
import { Outcome } from "./outcome.js";

const text = enImport;
const nothingFound: Found = {};

export interface LoadedProps {
  readonly resource: Resource;
  readonly table: Table;
  readonly name: string;
}

/** A parsed file: the mapping of its columns, the check and the import. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one page, whose parts share the choices about a file
export function Loaded({ resource, table, name }: LoadedProps) {
  const { user, resources } = useSession();
  const [isUnderWay, setUnderWay] = useState(false);
  const targetOf = (field: string) => {
    const link = resource.fields.find((one) => one.name === field)?.resource;
    return resources.find((one) => one.name === link);
  };
  const isId = (name: string, cell: string) => {
    const field = resource.fields.find((one) => one.name === name);
    return field === undefined || isIdOf(field, cell);
  };
  const [mapping, setMapping] = useState(() =>
    withNumbers(
      withKeys(
        guessed(table.head, resource),
        { ...table, isId },
        (field) => keysOf(targetOf(field))[0]?.name ?? null,
      ),
      table,
      resource,
    ),
  );
  const [by, setBy] = useState<string | null>(null);
  const [typed, setTyped] = useState(nothingTyped);
  const notation = useMemo(() => readNotation(typed), [typed]);
  const [given, setGiven] = useState<Fixed>({});
  const links = mapping.filter((target) => target !== null && target.by !== null);
  const what = `${name} ${JSON.stringify([mapping, typed])}`;
  const found = useQuery({
    ...linksQuery(user.id, { resource: resource.name, what }, (signal) =>
      findLinks(table, { resource, mapping, notation }, signal),
    ),
    enabled: links.length > 0,
  });
  const settled = useDeferredValue(mapping);
  const filled = mapping.flatMap((target) => (target === null ? [] : [target.field]));
  const free = importFields(resource).filter(({ name: field }) => !filled.includes(field));
  const fixed = Object.fromEntries(
    Object.entries(given).filter(([field]) => !filled.includes(field)),
  );
  const options: CheckOptions | null =
    links.length > 0 && found.data === undefined
      ? null
      : { resource, mapping: settled, found: found.data ?? nothingFound, by, notation, fixed };
  // A hundred thousand rows take a while, so they are not checked at each change of another option.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the values that the options are made of
  const result = useMemo(
    () => (options === null ? null : checked(table, options)),
    [table, settled, found.data, by, resource, links.length, notation, given],
  );
  const keys = upsertFields(resource).filter(({ name: key }) => filled.includes(key));
  const missing = missingFields(resource, mapping, Object.keys(fixed));
  const doubled = doubledFields(mapping);
  const words = (names: readonly string[]) =>
    listed(
      importFields(resource)
        .filter(({ name: field }) => names.includes(field))
        .map(labelOf),
      "and",
    );
  const bar =
    filled.length === 0
      ? text.none
      : doubled.length > 0
        ? text.doubled(words(doubled))
        : missing.length > 0 && by === null
          ? text.missing(words(missing.map(({ name: field }) => field)))
          : null;
  return (
    <>
      <section className="stack" aria-labelledby="columns">
        <h2 id="columns">{text.columns}</h2>
        <Columns
          table={table}
          resource={resource}
          mapping={mapping}
          notation={notation}
          isFixed={isUnderWay}
          keysOf={(field) => keysOf(targetOf(field))}
          onChange={(next) => setMapping(withNumbers(next, table, resource))}
        />
        {isUnderWay ? null : (
          <>
            <NotationFields typed={typed} onChange={setTyped} />
            <FixedFields resource={resource} fields={free} fixed={given} onChange={setGiven} />
          </>
        )}
        {may(resource, "update") && keys.length > 0 && !isUnderWay ? (
          <div className="mode">
            <Choice
              label={text.mode}
              value={by ?? ""}
              options={[
                { value: "", label: text.onlyNew(things(resource)) },
                ...keys.map((field) => ({
                  value: field.name,
                  label: text.upsert(things(resource), labelOf(field)),
                })),
              ]}
              onChange={(value) => setBy(value === "" ? null : value)}
            />
          </div>
        ) : null}
        <div role="status">
          {bar === null ? null : (
            <Notice look="warn">
              <p>{bar}</p>
            </Notice>
          )}
        </div>
      </section>
      {bar === null && found.isError ? (
        <Failure text={sentence(found.error)} onRetry={() => void found.refetch()} />
      ) : null}
      {bar === null && result === null && !found.isError ? (
        <p role="status" className="muted">
          {text.finding}
        </p>
      ) : null}
      {bar === null && result !== null ? (
        <Outcome
          key={JSON.stringify([by, mapping, typed, given])}
          resource={resource}
          result={result}
          found={found.data ?? nothingFound}
          name={name}
          onStart={() => setUnderWay(true)}
        />
      ) : null}
    </>
  );
}
