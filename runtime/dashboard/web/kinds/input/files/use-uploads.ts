import { useEffect, useRef, useState } from "react";
import { elementsOf } from "../../../../../values/csv/list-cell.js";
import { useSession } from "../../../api/account/session.js";
import type { Field, FileDetails } from "../../../api/client/types.js";
import { leastResumable } from "../../../api/records/resumable.js";
import { uploadInTurn } from "../../../api/records/uploads.js";
import { enKinds } from "../../../text/en/kinds.js";
import type { InputProps } from "../input.js";
import { fileProblem } from "./file-rules.js";
import { uploadRefusal } from "./upload-refusal.js";

/** A file that is not yet in the list. */
interface Sending {
  readonly id: number;
  readonly file: File;
  readonly share: number;
  /** Why the file was refused; null while it is sent. */
  readonly message: string | null;
  /** Whether the upload of a refused file can be retried. */
  readonly canRetry: boolean;
}

/** The uploads of a list, in the order in which they were chosen; `onStored` gets the key of each. */
export function useUploads(
  { field, resource, value, onBusy }: InputProps,
  onStored: (key: string) => void,
) {
  const { uploadLimit, resumableLimit } = useSession();
  const most = field.type === "image" ? uploadLimit : (resumableLimit ?? uploadLimit);
  const [sendings, setSendings] = useState<readonly Sending[]>([]);
  const [known, setKnown] = useState<readonly FileDetails[]>([]);
  const running = useRunning(onBusy);
  const numbers = useRef(0);

  const change = (id: number, next: Partial<Sending>) =>
    setSendings((all) => all.map((one) => (one.id === id ? { ...one, ...next } : one)));
  const drop = (id: number) => {
    running.end(id);
    setSendings((all) => all.filter((one) => one.id !== id));
  };

  const sendOne = async ({ id, file }: Sending, { signal }: AbortController): Promise<void> => {
    try {
      const details = await uploadInTurn({
        resource: resource.name,
        field: field.name,
        file,
        isResumable: resumableLimit !== null && file.size > leastResumable,
        signal,
        onProgress: (share) => change(id, { share }),
      });
      setKnown((all) => [...all, details]);
      onStored(details.key);
      drop(id);
    } catch (error) {
      if (signal.aborted) return;
      running.end(id);
      change(id, uploadRefusal(error, most));
    }
  };

  /** Uploads the files one after another, so that the list keeps the order in which they were chosen. */
  const sendAll = async (all: readonly Sending[]): Promise<void> => {
    const sent = all.filter(({ message }) => message === null);
    for (const { id } of sent) running.begin(id);
    for (const one of sent) {
      const run = running.of(one.id);
      if (run !== undefined) await sendOne(one, run);
    }
  };

  const usedNow = () => elementsOf(value).length + running.count();
  return {
    sendings,
    known,
    most,
    drop,
    send(files: readonly File[]) {
      let used = usedNow();
      const added = files.map((file) => {
        numbers.current += 1;
        const one = sendingOf({ id: numbers.current, file }, { field, most, used });
        if (one.message === null) used += 1;
        return one;
      });
      setSendings((all) => [...all, ...added]);
      void sendAll(added);
    },
    retry(id: number) {
      const refused = sendings.find((one) => one.id === id);
      if (refused === undefined) return;
      const one = sendingOf(refused, { field, most, used: usedNow() });
      change(id, one);
      void sendAll([one]);
    },
  };
}

/** Tracks unfinished uploads by number; `onBusy` is called with whether there are any. */
function useRunning(onBusy: (isBusy: boolean) => void) {
  const running = useRef(new Map<number, AbortController>());
  useEffect(
    () => () => {
      for (const one of running.current.values()) one.abort();
    },
    [],
  );
  return {
    of: (id: number) => running.current.get(id),
    count: () => running.current.size,
    begin(id: number) {
      running.current.set(id, new AbortController());
      onBusy(true);
    },
    /** Removes the upload; aborts it if it is still running. */
    end(id: number) {
      running.current.get(id)?.abort();
      running.current.delete(id);
      onBusy(running.current.size > 0);
    },
  };
}

interface Rules {
  readonly field: Field;
  /** The maximum size; null if there is no limit. */
  readonly most: number | null;
  /** The number of files in the list or being uploaded to it. */
  readonly used: number;
}

/** Returns the entry of a file, with the reason if it cannot be uploaded. */
function sendingOf(
  { id, file }: Pick<Sending, "id" | "file">,
  { field, most, used }: Rules,
): Sending {
  const { maxItems = Number.POSITIVE_INFINITY } = field;
  const isFull = used >= maxItems;
  const message = isFull ? enKinds.atMost(maxItems) : fileProblem(field, file, most);
  return { id, file, share: 0, message, canRetry: isFull };
}
