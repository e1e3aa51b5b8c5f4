import "./field.css";
import { Icon } from "../button/icon.js";

export interface SearchFieldProps {
  /** The accessible name; sighted users see an icon. */
  readonly label: string;
  /** The placeholder: what can be searched for. */
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Maximum length of `q` in the API. */
const maxLength = 200;

export function SearchField({ label, placeholder, value, onChange }: SearchFieldProps) {
  return (
    <div className="group search">
      <Icon name="search" />
      <input
        className="bare"
        type="search"
        name="q"
        aria-label={label}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        maxLength={maxLength}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
