/**
 * The keyboard shortcuts as the dashboard lists them. `shell/frame-keys.ts`, `screens/list/rows/list-keys.ts`,
 * `screens/record/use-form-keys.ts` and other users of `browser/keyboard/free-keys.ts` implement them.
 */
export const enKeys = Object.freeze({
  title: "Keyboard shortcuts",
  places: [
    {
      name: "Everywhere",
      keys: [
        ["{main} K", "jump to a page or a record, or run an action"],
        ["?", "this list"],
        ["g h", "home"],
        ["[", "collapse or expand the sidebar"],
        ["{main} Z", "undo the last change, within {undo} seconds"],
        ["Esc", "close what is on top"],
      ],
    },
    {
      name: "In a list",
      keys: [
        ["/", "search"],
        ["f", "add a filter"],
        ["c", "new"],
        ["↑ ↓, j k", "another row"],
        ["Enter", "open it"],
        ["← →, Enter", "another cell of the row, edit it"],
        ["F2", "edit it; the title too"],
        ["{main} V", "paste spreadsheet cells from there on"],
        ["o", "open the record that the row or cell links to"],
        ["{main} O", "the same in a new tab"],
        ["Space", "a quick look at it"],
        ["x", "select it"],
        ["Shift ↑ ↓", "select several"],
        ["{main} A", "select the page"],
        ["n p", "next page, previous page"],
      ],
    },
    {
      name: "On a form",
      keys: [
        ["{main} S", "save"],
        ["{main} Enter", "save and continue"],
        ["Alt ↑ ↓", "the previous or next record in the list"],
        ["{main} O", "open the record that a field links to in a new tab"],
        ["e", "the first field"],
      ],
    },
  ],
  letters: "Use shortcuts with a single letter or sign",
  lettersHelp: "Saved in this browser. Shortcuts with {main}, Enter and the arrows always work.",
  named: (text: string, main: string) => text.replace("{main}", main),
  does: (text: string, undoSeconds: number) => text.replace("{undo}", String(undoSeconds)),
});
