import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useSession } from "../../api/account/session.js";
import type { Field, Resource, Row } from "../../api/client/types.js";
import {
  altOf,
  fileOf,
  hasHistory,
  labelOf,
  writtenFields,
} from "../../api/records/descriptors.js";
import { type Around, recordQuery, type Version } from "../../api/records/records.js";
import { kindOf } from "../../kinds/kinds.js";
import { Blank } from "../../kinds/value/blank.js";
import { Markdown } from "../../kinds/value/markdown/markdown.js";
import { pathOfWidth, pictureIn } from "../../kinds/value/pictures.js";
import { hrefOf } from "../../kinds/value/web-address.js";
import { PictureButton } from "../../parts/file/picture-button.js";
import { Notice } from "../../parts/status/notice.js";
import { PublicFieldMark } from "../../rules/public-mark.js";
import { enRecord } from "../../text/en/record.js";
import { Strip } from "./elsewhere/strip.js";
import { useElsewhere } from "./elsewhere/use-elsewhere.js";
import { Facts } from "./facts.js";

/** The width of a picture on most screens. */
const previewPixels = 480;

export interface ReadOnlyProps {
  readonly resource: Resource;
  readonly version: Version;
  readonly head: ReactNode;
  readonly links: Around["links"];
}

/** A record's page for users who may not change it. */
export function ReadOnly({ resource, version, head, links }: ReadOnlyProps) {
  const { user } = useSession();
  const client = useQueryClient();
  const fields = writtenFields(resource);
  const [elsewhere] = useElsewhere(resource, version);
  const { queryKey } = recordQuery(user.id, resource.name, version.record.id);
  return (
    <div className="docked">
      <div className="scroller">
        {head}
        <div className="record">
          <div className="stack far">
            <Notice>
              <p>
                {resource.can?.update === "own" && typeof resource.owner === "string"
                  ? enRecord.readOnlyForeign
                  : enRecord.readOnly(user.role)}
              </p>
            </Notice>
            <Values
              resource={resource}
              fields={fields}
              record={withLinks(resource, version.record, links)}
            />
          </div>
          <Facts record={version.record} />
        </div>
      </div>
      <Strip
        resource={resource}
        isChanged={false}
        elsewhere={elsewhere}
        onAdopt={(next) => client.setQueryData(queryKey, next)}
        onCompare={() => {}}
        onCreateAgain={null}
        onHistory={hasHistory(resource) ? () => void client.resetQueries({ queryKey }) : null}
        onBack={null}
      />
    </div>
  );
}

const none: ReadonlySet<string> = new Set();

/** A list of names and values. */
export function Values({
  resource,
  fields,
  record,
  stale = none,
}: {
  readonly resource: Resource;
  readonly fields: readonly Field[];
  readonly record: Row;
  /** The names of computed fields whose values are of the stored record, not of the form. */
  readonly stale?: ReadonlySet<string>;
}) {
  return (
    <dl className="values">
      {fields.map((field) => (
        <div key={field.name}>
          <dt>
            <bdi>{labelOf(field)}</bdi> <PublicFieldMark resource={resource} field={field} />
          </dt>
          <dd className={stale.has(field.name) ? "stale" : ""}>
            <Value resource={resource} field={field} record={record} />
            {stale.has(field.name) ? <span className="help">{enRecord.computedAgain}</span> : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({
  resource,
  field,
  record,
}: {
  readonly resource: Resource;
  readonly field: Field;
  readonly record: Row;
}) {
  const value = record[field.name];
  const picture = kindOf(field).isPicture ? fileOf(field, record) : null;
  if (picture !== null) {
    return (
      <PictureButton
        className="shown-picture"
        pictures={[pictureIn(picture, altOf(field, record) ?? "")]}
        at={0}
      >
        <img src={pathOfWidth(picture, previewPixels)} alt="" />
      </PictureButton>
    );
  }
  const href = typeof value === "string" ? hrefOf(field.format, value) : null;
  // Displayed in full: a cell in a list truncates text for which a page has room.
  if (href === null && kindOf(field).form.isProse) {
    if (typeof value !== "string" || value === "") return <Blank />;
    return field.format === "markdown" ? (
      <Markdown text={value} />
    ) : (
      <bdi className="prose">{value}</bdi>
    );
  }
  const Cell = kindOf(field).cell;
  return <Cell field={field} row={record} resource={resource} />;
}

/** The record in the form of a list's row, with its linked records. */
export function withLinks(resource: Resource, record: Row, links: Around["links"]): Row {
  const named = resource.fields.flatMap(({ name, link }) =>
    link === undefined || links[name] === undefined ? [] : [[link, links[name]] as const],
  );
  return { ...record, ...Object.fromEntries(named) };
}
