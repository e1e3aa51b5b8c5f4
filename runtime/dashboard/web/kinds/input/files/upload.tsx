import { useEffect, useRef, useState } from "react";
import { useSession } from "../../../api/account/session.js";
import type { FileDetails } from "../../../api/client/types.js";
import { filePath } from "../../../api/records/descriptors.js";
import { leastResumable } from "../../../api/records/resumable.js";
import { uploadInTurn } from "../../../api/records/uploads.js";
import { Drop } from "../../../parts/file/drop.js";
import type { DropState } from "../../../parts/file/drop-state.js";
import { enRecord } from "../../../text/en/record.js";
import { size } from "../../../text/format.js";
import { kindOf } from "../../kinds.js";
import { pathOfWidth, pictureIn } from "../../value/pictures.js";
import { described, joined } from "../described.js";
import type { InputProps } from "../input.js";
import { fileName } from "../shown.js";
import { acceptOf, fileProblem, kindsOf } from "./file-rules.js";
import { uploadRefusal } from "./upload-refusal.js";

const text = enRecord;

/** The preview's width in device pixels, for a device pixel ratio of 2. */
const previewPixels = 480;

type Sending =
  | { readonly kind: "none" }
  | {
      readonly kind: "on";
      readonly file: File;
      readonly share: number;
      readonly isWaiting: boolean;
    }
  | {
      readonly kind: "refused";
      readonly file: File;
      readonly message: string;
      readonly canRetry: boolean;
    };

/** Uploads a file as soon as it is chosen; the record stores its key. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one control, whose parts share its state
export function UploadInput(props: InputProps) {
  const { field, resource, onChange, onLeave, onBusy } = props;
  const { uploadLimit, resumableLimit } = useSession();
  const most = field.type === "image" ? uploadLimit : (resumableLimit ?? uploadLimit);
  const [sending, setSending] = useState<Sending>({ kind: "none" });
  const [uploaded, setUploaded] = useState<FileDetails | null>(null);
  const [picture, setPicture] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  useEffect(
    () => () => {
      if (picture !== null) URL.revokeObjectURL(picture);
    },
    [picture],
  );

  const send = async (file: File) => {
    running.current?.abort();
    setPicture(file.type.startsWith("image/") ? URL.createObjectURL(file) : null);
    const wrong = fileProblem(field, file, most);
    if (wrong !== null) {
      setSending({ kind: "refused", file, message: wrong, canRetry: false });
      return;
    }
    const run = new AbortController();
    running.current = run;
    setSending({ kind: "on", file, share: 0, isWaiting: true });
    onBusy(true);
    try {
      const details = await uploadInTurn({
        resource: resource.name,
        field: field.name,
        file,
        isResumable: resumableLimit !== null && file.size > leastResumable,
        signal: run.signal,
        onProgress: (share) => setSending({ kind: "on", file, share, isWaiting: false }),
      });
      setUploaded(details);
      setSending({ kind: "none" });
      onChange(details.key);
      onLeave();
    } catch (error) {
      if (run.signal.aborted) return;
      setSending({ kind: "refused", file, ...uploadRefusal(error, most) });
    } finally {
      if (running.current === run) onBusy(false);
    }
  };
  const stop = () => {
    running.current?.abort();
    running.current = null;
    setSending({ kind: "none" });
    setPicture(null);
    onBusy(false);
  };
  const { help, ...rest } = described(props);
  const takes = text.takes(kindsOf(field), most === null ? null : size(most));
  return (
    <Drop
      {...rest}
      help={joined(help, takes)}
      state={stateOf(props, { sending, uploaded, picture })}
      accept={acceptOf(field)}
      onFile={(file) => void send(file)}
      onCancel={stop}
      onRetry={() => {
        if (sending.kind === "refused") void send(sending.file);
      }}
      onRemove={() => {
        stop();
        onChange("");
        onLeave();
      }}
    />
  );
}

interface Progress {
  readonly sending: Sending;
  readonly uploaded: FileDetails | null;
  /** The URL of the picture being uploaded. */
  readonly picture: string | null;
}

function stateOf(
  { field, file, value: key, pictures = [], alt = "" }: InputProps,
  { sending, uploaded, picture }: Progress,
): DropState {
  if (sending.kind === "on") {
    const { share, isWaiting } = sending;
    const { name, size: all } = sending.file;
    return { kind: "sending", name, size: all, share, isWaiting, preview: picture };
  }
  if (sending.kind === "refused") {
    const { message, canRetry } = sending;
    return { kind: "refused", name: sending.file.name, message, canRetry, preview: picture };
  }
  if (key === "") return { kind: "empty" };
  const details = [uploaded, file].find((one) => one?.key === key) ?? { key, renditions: {} };
  const isPicture = kindOf(field).isPicture || details.mime?.startsWith("image/") === true;
  const own = pictureIn(details, alt);
  const at = pictures.findIndex((one) => one.key === key);
  return {
    kind: "there",
    // If only the key is known, the name is at its end.
    name: details.name ?? fileName(key),
    size: details.size ?? null,
    href: filePath(details),
    preview: isPicture ? pathOfWidth(details, previewPixels) : null,
    pictures: !isPicture
      ? null
      : at < 0
        ? { all: [own, ...pictures], at: 0 }
        : { all: pictures.with(at, own), at },
  };
}
