import { type KeyboardEvent, useRef, useState } from "react";
import { labelOf } from "../../../api/records/descriptors.js";
import { Button } from "../../../parts/button/button.js";
import { Toolbar } from "../../../parts/button/toolbar.js";
import { Labelled } from "../../../parts/form/labelled.js";
import { enRecord } from "../../../text/en/record.js";
import { Markdown } from "../../value/markdown/markdown.js";
import { described } from "../described.js";
import type { InputProps } from "../input.js";
import { Lines } from "../lines.js";
import { type Mark, marked, marks } from "./marks.js";

/** Long text; Markdown has a toolbar and a preview. */
export function LongText(props: InputProps) {
  return props.field.format === "markdown" ? <MarkdownInput {...props} /> : <Lines {...props} />;
}

/** The keys that set a mark, together with Ctrl or ⌘. */
const keys: Readonly<Record<string, Mark>> = { b: "bold", i: "italic" };

function MarkdownInput(props: InputProps) {
  const { field, value, error, onChange } = props;
  const [wantsPreview, setWantsPreview] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  // Errors are corrected in the text, not in the preview.
  const isPreview = wantsPreview && error === undefined;

  const set = (mark: Mark) => {
    const area = place.current?.querySelector("textarea");
    if (area === null || area === undefined) return;
    const { value: text, selectionStart: from, selectionEnd: to } = area;
    const edit = marked({ text, from, to }, mark);
    area.focus();
    area.setSelectionRange(edit.from, edit.to);
    // The only way that keeps the browser's undo history. Without it, the text is replaced.
    if (!document.execCommand("insertText", false, edit.insert)) {
      area.setRangeText(edit.insert);
      onChange(area.value);
    }
    area.setSelectionRange(...edit.selection);
  };
  const press = (event: KeyboardEvent) => {
    const mark = keys[event.key.toLowerCase()];
    if (mark === undefined || !(event.ctrlKey || event.metaKey)) return;
    if (event.altKey || event.shiftKey || isPreview) return;
    event.preventDefault();
    set(mark);
  };
  const tools = (
    <Toolbar className="marks" label={enRecord.formatting(labelOf(field))}>
      {isPreview
        ? null
        : marks.map((mark) => (
            <Button
              key={mark}
              size="small"
              look="quiet"
              icon={mark}
              label={enRecord.marks[mark]}
              onPress={() => set(mark)}
            />
          ))}
      <Button size="small" look="quiet" onPress={() => setWantsPreview(!isPreview)}>
        {isPreview ? enRecord.edit : enRecord.preview}
      </Button>
    </Toolbar>
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the text within.
    <div ref={place} className="markdown-input" onKeyDown={press}>
      {isPreview ? (
        <Labelled {...described(props)}>
          {({ id }) => (
            <>
              {tools}
              <section id={id} className="preview" aria-labelledby={`${id}-label`}>
                {value.trim() === "" ? (
                  <p className="help">{enRecord.nothingToPreview}</p>
                ) : (
                  <Markdown text={value} />
                )}
              </section>
            </>
          )}
        </Labelled>
      ) : (
        <Lines {...props} above={tools} />
      )}
    </div>
  );
}
