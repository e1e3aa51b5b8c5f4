import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { enList } from "../../text/en/list.js";
import { Icon } from "../button/icon.js";
import { Labelled, type LabelledProps, type Tied } from "./labelled.js";
import "./picker.css";

export interface PickerOption {
  readonly id: string;
  readonly title: string;
  readonly detail?: string | undefined;
}

export interface PickerProps extends LabelledProps {
  /** The title of the chosen record; empty if nothing is chosen. */
  readonly title: string;
  readonly term: string;
  readonly onTerm: (term: string) => void;
  /** Called when the user begins to choose: nothing is loaded before. */
  readonly onOpen?: () => void;
  readonly options: readonly PickerOption[];
  /** While loading, the previous options are displayed dimmed. */
  readonly isLoading: boolean;
  /** The number of results, and the current choice. */
  readonly foot: ReactNode;
  readonly onChoose: (option: PickerOption) => void;
  readonly onClear: () => void;
  readonly onLeave: () => void;
  /** A link to the chosen record. */
  readonly opener?: ReactNode;
  /** The last option, which creates a new record. */
  readonly create?: { readonly label: string; readonly onPress: () => void } | undefined;
}

/**
 * An input that searches while typing, and a list to choose from (ARIA: combobox with a listbox). React Aria's
 * `ComboBox` would add 12 kB (gzip) to every form, and its own copy of state that the server's responses hold.
 */
export function Picker(props: PickerProps) {
  return <Labelled {...props}>{(ties) => <Combobox {...props} ties={ties} />}</Labelled>;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one control, whose parts share its state
function Combobox(props: PickerProps & { readonly ties: Tied }) {
  const { ties, label, title, term, options, create, isLoading } = props;
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const count = options.length + (create === undefined ? 0 : 1);
  const place = Math.min(active, count - 1);

  const open = () => {
    setOpen(true);
    props.onOpen?.();
  };
  const close = () => {
    setOpen(false);
    setActive(0);
    if (term !== "") props.onTerm("");
  };
  const choose = (at: number) => {
    const option = options[at];
    close();
    if (option !== undefined) props.onChoose(option);
    else create?.onPress();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (isOpen) setActive((place + step + count) % Math.max(1, count));
      else open();
    } else if (event.key === "Enter" && isOpen) {
      event.preventDefault();
      if (count > 0 && !(isLoading && place < options.length)) choose(place);
    } else if (event.key === "Escape" && isOpen) {
      event.stopPropagation();
      close();
    }
  };
  return (
    <div className="picker">
      <div className="group" data-invalid={ties["aria-invalid"]}>
        <input
          {...ties}
          ref={input}
          className="bare"
          type="text"
          dir="auto"
          role="combobox"
          autoComplete="off"
          spellCheck={false}
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={`${ties.id}-list`}
          aria-activedescendant={isOpen && count > 0 ? `${ties.id}-${place}` : undefined}
          value={isOpen ? term : title}
          placeholder={isOpen ? title : ""}
          onChange={(event) => {
            open();
            setActive(0);
            props.onTerm(event.target.value);
          }}
          onClick={open}
          onKeyDown={onKeyDown}
          onBlur={() => {
            close();
            props.onLeave();
          }}
        />
        {props.isOptional === true && title !== "" ? (
          <button
            className="in"
            type="button"
            aria-label={enList.clearField(label)}
            onClick={() => {
              props.onClear();
              input.current?.focus();
            }}
          >
            <Icon name="close" />
          </button>
        ) : null}
        {props.opener}
        <span className="in" aria-hidden="true">
          <Icon name={isOpen ? "up" : "down"} />
        </span>
      </div>
      {isOpen ? (
        // The focus stays in the input, whatever is clicked here.
        // biome-ignore lint/a11y/noStaticElementInteractions: the input handles the keys
        <div className="popover found-records" onMouseDown={(event) => event.preventDefault()}>
          <div
            id={`${ties.id}-list`}
            role="listbox"
            aria-label={label}
            className="menu"
            data-old={isLoading || undefined}
          >
            {options.map((option, at) => (
              <Option
                key={option.id}
                id={`${ties.id}-${at}`}
                isActive={at === place}
                onPress={() => choose(at)}
              >
                <bdi className="cut grow">
                  <Marked text={option.title} term={term} />
                </bdi>
                {option.detail === undefined ? null : (
                  <bdi className="cut small muted">{option.detail}</bdi>
                )}
              </Option>
            ))}
            {create === undefined ? null : (
              <Option
                id={`${ties.id}-${options.length}`}
                isActive={place === options.length}
                onPress={() => choose(options.length)}
              >
                <Icon name="plus" />
                <span className="cut strong">{create.label}</span>
              </Option>
            )}
          </div>
          <p className="foot-note" role="status">
            {props.foot}
          </p>
        </div>
      ) : null}
    </div>
  );
}

function Option({
  id,
  isActive,
  onPress,
  children,
}: {
  readonly id: string;
  readonly isActive: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input, as a combobox requires
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
    <div
      ref={(element) => {
        if (isActive) element?.scrollIntoView({ block: "nearest" });
      }}
      id={id}
      role="option"
      aria-selected={isActive}
      className="item"
      onClick={onPress}
    >
      {children}
    </div>
  );
}

/** The text, with the part that matches the term in bold. */
function Marked({ text, term }: { readonly text: string; readonly term: string }) {
  const at = term === "" ? -1 : text.toLocaleLowerCase().indexOf(term.toLocaleLowerCase());
  if (at < 0) return <>{text}</>;
  const end = at + term.length;
  return (
    <>
      {text.slice(0, at)}
      <span className="strong">{text.slice(at, end)}</span>
      {text.slice(end)}
    </>
  );
}
