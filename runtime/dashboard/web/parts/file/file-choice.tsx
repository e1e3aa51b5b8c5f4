import { useRef } from "react";
import { Button } from "../button/button.js";

/**
 * A button that opens the browser's dialog for one file. React Aria's `FileTrigger` gives its input no accessible name.
 */
export function FileChoice({
  children,
  accept,
  isMain = false,
  onFile,
}: {
  readonly children: string;
  readonly accept: string;
  readonly isMain?: boolean;
  readonly onFile: (file: File) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        hidden
        type="file"
        accept={accept}
        aria-label={children}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // Reset, so that the same file can be chosen again after it has changed.
          target.value = "";
          if (file !== undefined) onFile(file);
        }}
      />
      <Button
        {...(isMain ? { look: "primary" as const } : {})}
        onPress={() => input.current?.click()}
      >
        {children}
      </Button>
    </>
  );
}
