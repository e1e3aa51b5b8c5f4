export function saveFile(name: string, parts: readonly BlobPart[], type: string): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download needs the URL only until it starts, which may be slightly later in some browsers.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A file that is written incrementally. */
export interface OpenFile {
  write(text: string): Promise<void>;
  close(): Promise<void>;
  /** Stops writing, and leaves no partial file behind. */
  abort(): Promise<void>;
}

type Picker = (options: { suggestedName: string }) => Promise<{
  createWritable(): Promise<OpenFile>;
}>;

/**
 * Opens a file for writing: directly on disk if the browser supports it, otherwise in memory. Null if the user chose no
 * file.
 */
export async function openFile(name: string, type: string): Promise<OpenFile | null> {
  const { showSaveFilePicker } = globalThis as { showSaveFilePicker?: Picker };
  if (showSaveFilePicker !== undefined) {
    try {
      return await (await showSaveFilePicker({ suggestedName: name })).createWritable();
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return null;
    }
  }
  const parts: Blob[] = [];
  return {
    write: async (text) => {
      parts.push(new Blob([text]));
    },
    close: async () => saveFile(name, parts, type),
    abort: async () => {
      parts.length = 0;
    },
  };
}
