import type { StatementText } from "../rights/account.js";
import { Latest } from "../rights/latest.js";
import { onceFor } from "../rights/once-for.js";
import type { WriteView } from "../rights/writable.js";

/** Texts of all views together: clients choose the fields that a change sets, so there may be any number of shapes. */
const maxKept = 1_000;

const kept = new Latest<StatementText>(maxKept);

let views = 0;
const numberOf = onceFor((_: WriteView) => {
  views += 1;
  return views;
});

/** The text of a view for a shape, which names all that it depends on; made once while it is among those used last. */
export function keptText(view: WriteView, shape: string, make: () => StatementText): StatementText {
  return kept.get(`${numberOf(view)} ${shape}`, make);
}
