import { type Ref, startTransition, useEffect, useState } from "react";
import { Icon } from "../../parts/button/icon.js";
import { enList } from "../../text/en/list.js";

/** Milliseconds between the last keystroke and the request. */
const pause = 150;

/** A field that searches while typing. The text stays as typed until the field loses the focus. */
export function Search({
  things,
  value,
  onSearch,
  inputRef,
}: {
  readonly things: string;
  readonly value: string;
  readonly onSearch: (term: string) => void;
  readonly inputRef: Ref<HTMLInputElement>;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const term = typed?.trim() ?? value;
  useEffect(() => {
    if (term === value) return;
    const timer = setTimeout(() => startTransition(() => onSearch(term)), pause);
    return () => clearTimeout(timer);
  }, [term, value, onSearch]);
  return (
    <div className="group search">
      <Icon name="search" />
      <input
        ref={inputRef}
        className="bare"
        type="search"
        name="q"
        aria-label={enList.search(things)}
        placeholder={enList.search(things)}
        autoComplete="off"
        maxLength={200}
        value={typed ?? value}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => {
          if (term !== value) onSearch(term);
          setTyped(null);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && term !== value) onSearch(term);
        }}
      />
      <kbd className="only-wide">/</kbd>
    </div>
  );
}
