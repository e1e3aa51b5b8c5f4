import { useRef } from "react";
import { elementsOf, listCell } from "../../../../../values/csv/list-cell.js";
import { filePath } from "../../../api/records/descriptors.js";
import { Gallery, type GalleryFile } from "../../../parts/file/gallery.js";
import { enRecord } from "../../../text/en/record.js";
import { size } from "../../../text/format.js";
import { kindOf } from "../../kinds.js";
import { elementOf } from "../../list/list.js";
import { Blank } from "../../value/blank.js";
import { pathOfWidth, pictureIn } from "../../value/pictures.js";
import { described, joined } from "../described.js";
import type { InputProps, ShownProps } from "../input.js";
import { ShownFile } from "../shown.js";
import { acceptOf, kindsOf } from "./file-rules.js";
import { useUploads } from "./use-uploads.js";

/** The preview's width in device pixels, for a device pixel ratio of 2. */
const previewPixels = 240;

/** Uploads files as soon as they are chosen; the record stores their keys in order. */
export function GalleryInput(props: InputProps) {
  const { field, value, files = [], alt = "", onChange, onLeave } = props;
  const latest = useRef(value);
  latest.current = value;
  const put = (keys: readonly string[]) => {
    latest.current = listCell(keys);
    onChange(latest.current);
    onLeave();
  };
  const { sendings, known, most, send, retry, drop } = useUploads(props, (key) =>
    put([...elementsOf(latest.current), key]),
  );
  const keys = elementsOf(value);
  const details = keys.map(
    (key) => [...known, ...files].find((one) => one.key === key) ?? { key, renditions: {} },
  );
  const pictures = details.map((one) => pictureIn(one, alt));
  const shown = details.map((one, at): GalleryFile => {
    const isPicture = kindOf(elementOf(field)).isPicture || one.mime?.startsWith("image/") === true;
    return {
      key: one.key,
      name: pictures[at]?.name ?? one.key,
      href: filePath(one),
      preview: isPicture ? pathOfWidth(one, previewPixels) : null,
    };
  });
  const { help, ...rest } = described(props);
  const takes = enRecord.takes(kindsOf(field), most === null ? null : size(most));
  return (
    <Gallery
      {...rest}
      help={joined(help, takes)}
      accept={acceptOf(field)}
      files={shown}
      pictures={kindOf(elementOf(field)).isPicture ? pictures : null}
      sendings={sendings.map(({ file, ...one }) => ({ ...one, name: file.name }))}
      onFiles={send}
      onRetry={retry}
      onCancel={drop}
      onKeys={put}
    />
  );
}

/** Shows the files next to other versions. */
export function ShownGallery({ field, typed }: ShownProps) {
  const keys = elementsOf(typed);
  if (keys.length === 0) return <Blank />;
  return (
    <span className="row wrap">
      {keys.map((key) => (
        <ShownFile key={key} field={elementOf(field)} typed={key} />
      ))}
    </span>
  );
}
