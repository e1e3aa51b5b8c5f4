import { counted } from "./en.js";

/** Texts of the page that merges two versions of a record. */
export const enConflict = Object.freeze({
  title: "Two versions",
  lead: (when: string) => `This was saved elsewhere ${when}, while you were editing.`,
  leadBy: (name: string, when: string) => `${name} saved this ${when}, while you were editing.`,
  text: "Nothing is lost and nothing was overwritten. Choose a value for each field that both of you changed.",
  textNone:
    "Nothing is lost and nothing was overwritten. No field was changed by both of you: check the result and save.",
  both: "Changed by both of you",
  field: "Field",
  before: "Before",
  beforeWhen: "when you opened it",
  theirs: "Theirs",
  theirsWhen: (when: string) => `saved ${when}`,
  mine: "Mine",
  mineWhen: "not saved yet",
  one: "Changed by one of you: these changes are kept",
  mineTag: "mine",
  theirsTag: "theirs",
  arrow: "becomes",
  revert: "Revert",
  keepMine: "Keep mine",
  reverted: "reverted",
  save: "Save merged",
  back: "Back to my form",
  discard: "Discard mine, show theirs",
  left: (count: number, names: string) => `${counted(count, "field", "fields")} left: ${names}`,
  allChosen: "All fields are chosen",
  removed: "removed:",
  added: "added:",
});

/** Texts of the dialog that merges two records. */
export const enMerging = Object.freeze({
  title: (things: string) => `Merge two ${things}`,
  other: (thing: string) => `The other ${thing}`,
  same: "Choose another one.",
  chooseFirst: "Choose the other one first",
  keep: "Record to keep",
  created: (title: string, when: string) => `${title}, created ${when}`,
  values: "Values that differ",
  equal: "All values that you may change are equal.",
  counting: "Counting what belongs to it …",
  moves: ({
    count,
    label,
    isOne,
  }: {
    readonly count: string;
    readonly label: string;
    readonly isOne: boolean;
  }) => `${label}: ${count} ${isOne ? "moves" : "move"} to the record that is kept`,
  trashed: (name: string) => `${name} is moved to the trash afterwards.`,
  deleted: (name: string) => `${name} is deleted afterwards. This cannot be undone.`,
  moving: "Moving",
  moved: "Moved",
  changedMeanwhile: "One of them was changed elsewhere. Check the values, then merge again.",
  button: (things: string) => `Merge ${things}`,
  finish: "Finish merging",
  merged: (other: string, kept: string) => `${other} merged into ${kept}`,
});
