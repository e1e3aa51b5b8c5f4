import { useRef } from "react";
import { TextArea } from "react-aria-components/TextArea";
import "./area.css";

/** The text area of a code field: lines are numbered and do not wrap. */
export function CodeArea({
  value,
  placeholder,
}: {
  readonly value: string;
  readonly placeholder: string;
}) {
  const numbers = useRef<HTMLPreElement>(null);
  const lines = value.split("\n").length;
  return (
    <div className="code-area" dir="ltr">
      <TextArea
        dir="ltr"
        className="input area"
        placeholder={placeholder}
        spellCheck={false}
        autoCapitalize="none"
        onScroll={({ currentTarget }) => {
          if (numbers.current !== null) numbers.current.scrollTop = currentTarget.scrollTop;
        }}
      />
      <pre ref={numbers} aria-hidden="true">
        {Array.from({ length: lines }, (_, at) => at + 1).join("\n")}
      </pre>
    </div>
  );
}
