import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useSession } from "../../../api/account/session.js";
import { sentence } from "../../../api/client/errors.js";
import type { Field, Resource, Row } from "../../../api/client/types.js";
import {
  altOf,
  fileOf,
  labelOf,
  readableFields,
  recordPath,
  thing,
  titleField,
  titleOf,
} from "../../../api/records/descriptors.js";
import { quickLookQuery } from "../../../api/records/queries.js";
import { printParams } from "../../../browser/address/list-address.js";
import { kindOf } from "../../../kinds/kinds.js";
import { shownParams } from "../../../kinds/query/list-parameters.js";
import { pathOfWidth, pictureOf } from "../../../kinds/value/pictures.js";
import { PictureButton } from "../../../parts/file/picture-button.js";
import { useDebounced } from "../../../parts/form/debounced.js";
import { Drawer } from "../../../parts/overlay/drawer.js";
import { Failure } from "../../../parts/page/page.js";
import { enLook } from "../../../text/en/quick-look.js";
import "./quick-look.css";

const text = enLook;

/** The preview's width in pixels: that of the drawer on most screens. */
const previewPixels = 640;
/** Milliseconds for which a row is selected before the rest of it is requested. */
const pause = 150;

export interface QuickLookProps {
  readonly resource: Resource;
  /** The row as loaded by the list. */
  readonly row: Row;
  /** The rows of the page, for the previous and next pictures. */
  readonly rows: readonly Row[];
  readonly onClose: () => void;
}

/** A record next to its list, which stays usable. Fields missing from the row are requested. */
export default function QuickLook({ resource, row, rows, onClose }: QuickLookProps) {
  const { user, resources } = useSession();
  const id = useDebounced(row.id, pause);
  const fields = readableFields(resource);
  const query = printParams(shownParams(resource, resources, fields));
  const loaded = useQuery({
    ...quickLookQuery(user.id, { resource: resource.name, id: row.id }, query),
    enabled: resource.can?.get !== false && id === row.id,
  });
  const known: Row = { ...row, ...loaded.data };
  const title = titleOf(resource, known);
  const picture = fields.find((field) => kindOf(field).isPicture) ?? null;
  const details = picture === null ? null : fileOf(picture, known);
  const named = titleField(resource);
  const rest = fields.filter((field) => field !== picture && field !== named);
  return (
    <Drawer title={title} onClose={onClose} keepsFocus>
      {picture === null || known[picture.name] === null ? null : (
        <div className="look-picture">
          {details === null ? null : (
            <PictureButton {...neighbouring(picture, known, rows)}>
              <img src={pathOfWidth(details, previewPixels)} alt={altOf(picture, known) ?? ""} />
            </PictureButton>
          )}
        </div>
      )}
      {loaded.isError ? (
        <Failure text={sentence(loaded.error)} onRetry={() => void loaded.refetch()} />
      ) : null}
      <dl className="look">
        {rest.map((field) => (
          <div key={field.name}>
            <dt>
              <bdi>{labelOf(field)}</bdi>
            </dt>
            <dd className={kindOf(field).isAtEnd ? "num" : undefined}>
              <Value resource={resource} field={field} row={known} />
            </dd>
          </div>
        ))}
      </dl>
      <p>
        <Link className="button" href={recordPath(resource.name, row.id)}>
          {text.open(thing(resource))}
        </Link>
      </p>
    </Drawer>
  );
}

/** The pictures of the rows that have one, and the index of the record's. */
function neighbouring(field: Field, record: Row, rows: readonly Row[]) {
  const own = rows.map((row) => (row.id === record.id ? record : row));
  const pictures = own.flatMap((row) => {
    const picture = pictureOf(field, row);
    return picture === null ? [] : [{ id: row.id, picture }];
  });
  return {
    pictures: pictures.map(({ picture }) => picture),
    at: pictures.findIndex(({ id }) => id === record.id),
  };
}

function Value({
  resource,
  field,
  row,
}: {
  readonly resource: Resource;
  readonly field: Field;
  readonly row: Row;
}) {
  const { cell: Cell, asks } = kindOf(field);
  const [loaded = field.name] = asks(field);
  const [name = loaded, most] = loaded.split(":");
  const value = row[name];
  if (value === undefined) return <span className="muted">{text.unknown}</span>;
  // The text has the requested length, so it is probably truncated.
  if (typeof value === "string" && most !== undefined && [...value].length >= Number(most)) {
    return <bdi>{text.cut(value)}</bdi>;
  }
  return <Cell field={field} row={row} resource={resource} />;
}
