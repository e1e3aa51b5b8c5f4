import { type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import "./drop.css";
import "./gallery.css";
import { enRecord } from "../../text/en/record.js";
import { Icon } from "../button/icon.js";
import { LabelledGroup, type LabelledProps } from "../form/labelled.js";
import { useKeptFocus } from "./kept-focus.js";
import { usePastedFiles } from "./pasted-file.js";
import { PictureButton } from "./picture-button.js";
import type { Picture } from "./picture-view.js";
import { type GallerySending, SendingFile } from "./sending-file.js";

/** A file in the list. */
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
  /** The pictures of `files`, which open larger; null if they are not pictures. */
  readonly pictures: readonly Picture[] | null;
  readonly sendings: readonly GallerySending[];
  readonly onFiles: (files: readonly File[]) => void;
  readonly onRetry: (id: number) => void;
  /** Stops sending a file, or forgets one that was refused. */
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
  const [dragged, setDragged] = useState<number | null>(null);
  const [moved, setMoved] = useState<string | null>(null);
  const keys = files.map(({ key }) => key);
  // An element that moves in the page loses the focus.
  useEffect(() => {
    if (moved === null) return;
    document.getElementById(buttonId(id, moved))?.focus();
    setMoved(null);
  }, [id, moved]);
  const move = (from: number, to: number) => {
    const key = keys[from];
    if (key === undefined || to < 0 || to >= keys.length) return;
    onKeys(keys.toSpliced(from, 1).toSpliced(to, 0, key));
    setMoved(key);
  };
  const onKeyDown = (event: KeyboardEvent, at: number) => {
    const step = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
    if (step === undefined || !event.altKey) return;
    event.preventDefault();
    move(at, at + step);
  };
  const onDrop = (event: DragEvent, at: number) => {
    if (dragged === null) return;
    event.preventDefault();
    event.stopPropagation();
    move(dragged, at);
    setDragged(null);
  };
  if (files.length === 0) return null;
  return (
    <ol className="row wrap" aria-label={text.filesOf(label)}>
      {files.map((file, at) => (
        <li
          key={file.key}
          className="gallery-file"
          draggable
          onDragStart={() => setDragged(at)}
          onDragEnd={() => setDragged(null)}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => onDrop(event, at)}
        >
          <Preview file={file} pictures={pictures} at={at} />
          <button
            type="button"
            className="x"
            id={buttonId(id, file.key)}
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

/** The id of the button of a file. */
function buttonId(id: string, key: string): string {
  return `${id}-${key}`;
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
