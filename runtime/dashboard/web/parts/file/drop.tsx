import { useRef, useState } from "react";
import "./drop.css";
import { Icon } from "../button/icon.js";
import { LabelledGroup } from "../form/labelled.js";
import { type DropProps, type DropState, Inside } from "./drop-state.js";
import { useKeptFocus } from "./kept-focus.js";
import { usePastedFiles } from "./pasted-file.js";
import { PictureButton } from "./picture-button.js";

/**
 * A drop target for a file, with a button to choose one. The first button of each state has the field's id: links to
 * the field lead to it, and it takes the focus from a button that disappears with its state. React Aria's `DropZone`
 * would add 22 kB (gzip), mostly for dragging with keys, which the button makes unnecessary.
 */
export function Drop(props: DropProps) {
  const { id, label, state, accept, onFile } = props;
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const choose = () => input.current?.click();
  const focused = useKeptFocus(id, state.kind);
  const box = usePastedFiles(accept, ([file]) => {
    if (file !== undefined) onFile(file);
  });
  return (
    <LabelledGroup {...props} className="drop-box">
      <input
        ref={input}
        className="hidden"
        type="file"
        tabIndex={-1}
        aria-hidden="true"
        accept={accept}
        onChange={({ target }) => {
          const file = target.files?.[0];
          // Reset, so that the same file can be chosen again.
          target.value = "";
          if (file !== undefined) onFile(file);
        }}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is one way, the button in it the other */}
      <div
        ref={box}
        className="drop"
        data-over={isOver || undefined}
        {...focused}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          const file = event.dataTransfer.files[0];
          if (file !== undefined) onFile(file);
        }}
      >
        <Preview state={state} />
        <div className="grow stack near">
          {/* A button must not turn into another one under the finger. */}
          <Inside key={state.kind} {...props} label={label} choose={choose} />
        </div>
      </div>
    </LabelledGroup>
  );
}

function Preview({ state }: { readonly state: DropState }) {
  const source = state.kind === "empty" ? null : state.preview;
  const [broken, setBroken] = useState<string | null>(null);
  if (source === null || source === broken) {
    return (
      <span className="preview" aria-hidden="true">
        <Icon name="save" />
      </span>
    );
  }
  const picture = <img src={source} alt="" onError={() => setBroken(source)} />;
  const pictures = state.kind === "there" ? state.pictures : null;
  return pictures === null ? (
    <span className="preview picture" aria-hidden="true">
      {picture}
    </span>
  ) : (
    <PictureButton className="preview picture" pictures={pictures.all} at={pictures.at}>
      {picture}
    </PictureButton>
  );
}
