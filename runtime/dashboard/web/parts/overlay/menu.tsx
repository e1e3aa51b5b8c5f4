import type { ReactNode } from "react";
import { Menu as AriaMenu, MenuItem, MenuTrigger } from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
import { Icon } from "../button/icon.js";
import "./menu.css";

export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  /** Shown instead of the label, which type-ahead still matches. */
  readonly content?: ReactNode;
  readonly look?: "danger";
  /** For entries of which exactly one is chosen. */
  readonly isChosen?: boolean;
  readonly onAction: () => void;
}

export interface MenuProps {
  readonly label: string;
  readonly button: ReactNode;
  readonly entries: readonly MenuEntry[];
}

export function Menu({ label, button, entries }: MenuProps) {
  return (
    <MenuTrigger>
      {button}
      <Popover className="popover">
        <AriaMenu className="menu" aria-label={label} onAction={(key) => act(entries, String(key))}>
          {entries.map(({ id, label: words, content, look, isChosen }) => (
            <MenuItem key={id} id={id} className={`item ${look ?? ""}`} textValue={words}>
              <span className="grow">{content ?? words}</span>
              {isChosen === true ? <Icon name="check" /> : null}
            </MenuItem>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

function act(entries: readonly MenuEntry[], key: string): void {
  entries.find(({ id }) => id === key)?.onAction();
}
