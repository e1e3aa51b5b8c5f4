import { useEffect } from "react";
import { isFree, isMain, isUntaken } from "../../../browser/keyboard/free-keys.js";
import { focusedRow, focusRow } from "./row-keys.js";

export interface ListKeys {
  readonly search: () => void;
  readonly filter: () => void;
  readonly create: () => void;
  /** Called with the id of the focused row. */
  readonly open: (id: string) => void;
  /** Called with the row's id and the field of the focused cell. */
  readonly edit: (id: string, field: string) => void;
  readonly look: (id: string) => void;
  readonly choose: (id: string) => void;
  /** Extends the selection from one row to an adjacent one. */
  readonly extend: (from: string, to: string) => void;
  readonly chooseAll: () => void;
  readonly page: (by: number) => void;
  readonly leave: () => void;
}

/** Handles a list's keys while no field has the focus and nothing covers the list. */
export function useListKeys(keys: ListKeys): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isUsed =
        isMain(event, "a") && isUntaken(event)
          ? chooseAll(keys)
          : isFree(event) && (event.shiftKey ? extend(event.key, keys) : act(event.key, keys));
      if (isUsed) event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [keys]);
}

const tableOf = () => document.querySelector<HTMLTableElement>(".list table");

/** Selects all rows if rows can be selected; otherwise the key selects the page's text as usual. */
function chooseAll(keys: ListKeys): boolean {
  if (document.querySelector(".list .pick") === null) return false;
  keys.chooseAll();
  return true;
}

/** Shift with an arrow extends the selection row by row. */
function extend(key: string, keys: ListKeys): boolean {
  const by = { ArrowDown: 1, ArrowUp: -1 }[key];
  const from = focusedRow()?.dataset.id;
  // Some characters require Shift, depending on the keyboard.
  if (by === undefined) return act(key, keys);
  if (from === undefined) return false;
  focusRow(tableOf(), by);
  const to = focusedRow()?.dataset.id;
  if (to !== undefined) keys.extend(from, to);
  return true;
}

/** Handles a shortcut; returns whether the key is one. */
function act(key: string, keys: ListKeys): boolean {
  const row = focusedRow();
  const id = row?.dataset.id;
  switch (key) {
    case "/":
      keys.search();
      return true;
    case "f":
      keys.filter();
      return true;
    case "c":
      keys.create();
      return true;
    case "j":
    case "k":
      focusRow(tableOf(), key === "j" ? 1 : -1);
      return true;
    case "n":
    case "p":
      keys.page(key === "n" ? 1 : -1);
      return true;
    case "x":
      if (id !== undefined) keys.choose(id);
      return id !== undefined;
    case " ":
      // A box or a button within the row handles its own keys.
      if (id === undefined || document.activeElement?.matches("input, button") === true) {
        return false;
      }
      keys.look(id);
      return true;
    case "Escape":
      keys.leave();
      return false;
    case "Enter":
    case "F2": {
      const { field } =
        document.activeElement?.closest<HTMLElement>("td[data-field]")?.dataset ?? {};
      const isCell = document.activeElement?.matches("td") === true;
      if (id === undefined) return false;
      if (field !== undefined && (isCell || key === "F2")) keys.edit(id, field);
      else if (document.activeElement === row && key === "Enter") keys.open(id);
      else return false;
      return true;
    }
    default:
      return false;
  }
}
