import { useRef, useState } from "react";
import "./drop.css";
import "./gallery.css";
import { enRecord } from "../../text/en/record.js";
import { Icon } from "../button/icon.js";
import { LabelledGroup, type LabelledProps } from "../form/labelled.js";
import { useReorder } from "../page/reorder.js";
import { useKeptFocus } from "./kept-focus.js";
import { usePastedFiles } from "./pasted-file.js";
import { PictureButton } from "./picture-button.js";
import type { Picture } from "./picture-view.js";
import { type GallerySending, SendingFile } from "./sending-file.js";

export interface GalleryFile {
  readonly key: string;
  readonly name: string;
  /** The address at which the file can be opened. */
  readonly href: string;
  readonly preview: string | null;
}

export interface GalleryProps extends LabelledProps {
  /** The `accept` attribute of the browser's dialog. */
  readonly accept: string;
  readonly files: readonly GalleryFile[];
  /** The pictures among `files`, for the large view; null if the files are not pictures. */
  readonly pictures: readonly Picture[] | null;
  readonly sendings: readonly GallerySending[];
  readonly onFiles: (files: readonly File[]) => void;
  readonly onRetry: (id: number) => void;
  /** Aborts an upload, or dismisses one that was refused. */
  readonly onCancel: (id: number) => void;
  readonly onKeys: (keys: readonly string[]) => void;
}

const text = enRecord;

/** The files of a list, in their order: chosen, dropped or pasted, moved by dragging or by arrow keys with Alt. */
export function Gallery(props: GalleryProps) {
  const { id, label, accept, files, sendings, onFiles } = props;
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const box = usePastedFiles(accept, onFiles);
  const states = sendings.map(({ id: one, message }) => `${one} ${message}`);
  const focused = useKeptFocus(id, [...files.map(({ key }) => key), ...states].join());
  return (
    <LabelledGroup {...props} className="drop-box">
      <input
        ref={input}
        className="hidden"
        type="file"
        multiple
        tabIndex={-1}
        aria-hidden="true"
        accept={accept}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          // Reset, so that the same file can be chosen again.
          target.value = "";
          onFiles(files);
        }}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is one way, the button in it the other */}
      <div
        ref={box}
        className="drop gallery"
        data-over={isOver || undefined}
        {...focused}
        onDragOver={(event) => {
          event.preventDefault();
          if (event.dataTransfer.types.includes("Files")) setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          if (event.dataTransfer.files.length > 0) onFiles([...event.dataTransfer.files]);
        }}
      >
        <Files {...props} />
        {sendings.map((one) => (
          <SendingFile
            key={one.id}
            sending={one}
            onRetry={() => props.onRetry(one.id)}
            onCancel={() => props.onCancel(one.id)}
          />
        ))}
        <p className="row wrap">
          <button
            className="button small"
            type="button"
            id={id}
            aria-label={`${text.addFiles}: ${label}`}
            onClick={() => input.current?.click()}
          >
            {text.addFiles}
          </button>
          <span className="small muted">{text.orDropSeveral}</span>
        </p>
      </div>
    </LabelledGroup>
  );
}

function Files({ id, label, files, pictures, onKeys }: GalleryProps) {
  const keys = files.map(({ key }) => key);
  const { entry, onKeyDown } = useReorder(keys, onKeys);
  if (files.length === 0) return null;
  return (
    <ol className="row wrap" aria-label={text.filesOf(label)}>
      {files.map((file, at) => (
        <li key={file.key} className="gallery-file" {...entry(at)}>
          <Preview file={file} pictures={pictures} at={at} />
          <button
            type="button"
            className="x"
            id={`${id}-${file.key}`}
            aria-label={text.removeOrMove(file.name)}
            onClick={() => onKeys(keys.filter((key) => key !== file.key))}
            onKeyDown={(event) => onKeyDown(event, at)}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ol>
  );
}

function Preview({
  file: { name, href, preview },
  pictures,
  at,
}: {
  readonly file: GalleryFile;
  readonly pictures: readonly Picture[] | null;
  readonly at: number;
}) {
  if (preview === null || pictures === null) {
    return (
      <a className="cut" href={href} target="_blank" rel="noreferrer">
        <bdi>{name}</bdi>
      </a>
    );
  }
  return (
    <PictureButton className="preview" pictures={pictures} at={at}>
      <img src={preview} alt="" draggable={false} />
    </PictureButton>
  );
}
