import { useEffect, useRef, useState } from "react";
import { elementsOf, listCell } from "../../../../../values/csv/list-cell.js";
import { useSession } from "../../../api/account/session.js";
import type { FileDetails } from "../../../api/client/types.js";
import { filePath } from "../../../api/records/descriptors.js";
import { leastResumable } from "../../../api/records/resumable.js";
import { uploadInTurn } from "../../../api/records/uploads.js";
import { Gallery, type GalleryFile } from "../../../parts/file/gallery.js";
import { enKinds } from "../../../text/en/kinds.js";
import { enRecord } from "../../../text/en/record.js";
import { size } from "../../../text/format.js";
import { kindOf } from "../../kinds.js";
import { elementOf } from "../../list/list.js";
import { Blank } from "../../value/blank.js";
import { pathOfWidth, pictureIn } from "../../value/pictures.js";
import { described, joined } from "../described.js";
import type { InputProps, ShownProps } from "../input.js";
import { ShownFile } from "../shown.js";
import { acceptOf, fileProblem, kindsOf } from "./file-rules.js";
import { uploadRefusal } from "./upload-refusal.js";

/** The preview's width on most screens, which have four pixels for each of the page's. */
const previewPixels = 240;

/** A file that is not in the list yet. */
interface Sending {
  readonly id: number;
  readonly file: File;
  readonly share: number;
  /** Why the file was refused; null while it is sent. */
  readonly message: string | null;
}

/** Uploads files as soon as they are chosen; the record stores their keys in order. */
export function GalleryInput(props: InputProps) {
  const { field, value, files = [], alt = "", onChange, onLeave } = props;
  const { uploadLimit } = useSession();
  const latest = useRef(value);
  latest.current = value;
  const put = (keys: readonly string[]) => {
    latest.current = listCell(keys);
    onChange(latest.current);
    onLeave();
  };
  const { sendings, known, send, drop } = useUploads(props, (key) =>
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
  const takes = enRecord.takes(kindsOf(field), uploadLimit === null ? null : size(uploadLimit));
  return (
    <Gallery
      {...rest}
      help={joined(help, takes)}
      accept={acceptOf(field)}
      files={shown}
      pictures={kindOf(elementOf(field)).isPicture ? pictures : null}
      sendings={sendings.map(({ id, file, share, message }) => ({
        id,
        name: file.name,
        share,
        message,
      }))}
      onFiles={send}
      onCancel={drop}
      onKeys={put}
    />
  );
}

/** The uploads under way, in the order in which they were chosen; `onStored` gets the key of each. */
function useUploads(props: InputProps, onStored: (key: string) => void) {
  const { field, resource, value, onBusy } = props;
  const { uploadLimit, resumableLimit } = useSession();
  const most = field.type === "image" ? uploadLimit : (resumableLimit ?? uploadLimit);
  const [sendings, setSendings] = useState<readonly Sending[]>([]);
  const [known, setKnown] = useState<readonly FileDetails[]>([]);
  const running = useRef(new Map<number, AbortController>());
  const numbers = useRef(0);
  useEffect(
    () => () => {
      for (const one of running.current.values()) one.abort();
    },
    [],
  );

  const change = (id: number, next: Partial<Sending>) =>
    setSendings((all) => all.map((one) => (one.id === id ? { ...one, ...next } : one)));
  const drop = (id: number) => {
    running.current.get(id)?.abort();
    running.current.delete(id);
    setSendings((all) => all.filter((one) => one.id !== id));
    onBusy(running.current.size > 0);
  };

  const sendOne = async ({ id, file }: Sending, run: AbortController): Promise<void> => {
    try {
      const details = await uploadInTurn({
        resource: resource.name,
        field: field.name,
        file,
        isResumable: resumableLimit !== null && file.size > leastResumable,
        signal: run.signal,
        onProgress: (share) => change(id, { share }),
      });
      setKnown((all) => [...all, details]);
      onStored(details.key);
      drop(id);
    } catch (error) {
      if (run.signal.aborted) return;
      running.current.delete(id);
      change(id, { message: uploadRefusal(error, most).message });
      onBusy(running.current.size > 0);
    }
  };

  const send = async (chosen: readonly File[]): Promise<void> => {
    const { maxItems = Number.POSITIVE_INFINITY } = field;
    const used = elementsOf(value).length + running.current.size;
    const added = chosen.map((file, at): Sending => {
      numbers.current += 1;
      const isOver = used + at >= maxItems;
      const message = isOver ? enKinds.atMost(maxItems) : fileProblem(field, file, most);
      return { id: numbers.current, file, share: 0, message };
    });
    const sent = added.filter(({ message }) => message === null);
    for (const { id } of sent) running.current.set(id, new AbortController());
    setSendings((all) => [...all, ...added]);
    onBusy(running.current.size > 0);
    // One after the other, so that the list has the order of the chosen files.
    for (const one of sent) {
      const run = running.current.get(one.id);
      if (run !== undefined) await sendOne(one, run);
    }
  };

  return { sendings, known, send: (files: readonly File[]) => void send(files), drop };
}

/** Shows the files, beside other versions. */
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
