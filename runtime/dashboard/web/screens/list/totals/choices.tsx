import { useState } from "react";
import type { Resource } from "../../../api/client/types.js";
import { may } from "../../../api/records/descriptors.js";
import { Button } from "../../../parts/button/button.js";
import { Popover } from "../../../parts/overlay/popover.js";
import { Boundary } from "../../../parts/page/page.js";
import { screen } from "../../../parts/page/screen.js";
import { enTotals } from "../../../text/en/lists/totals.js";
import type { ListState } from "../list-state.js";
import type { TotalsMenuProps } from "./menu.js";

const text = enTotals;

const TotalsMenu = screen<TotalsMenuProps>(() => import("./menu.js"), null);

/**
 * Chooses the grouping of the list and the totals of its columns; both are part of the address. Callers without access
 * to statistics can only add the list to their home page.
 */
export function TotalsChoices({
  resource,
  state,
}: {
  readonly resource: Resource;
  readonly state: ListState;
}) {
  const [isOpen, setOpen] = useState(false);
  const hasTotals = may(resource, "stats");
  return (
    <Popover
      label={hasTotals ? text.title : text.home}
      isOpen={isOpen}
      onOpenChange={setOpen}
      button={
        <Button look="quiet" size="small" icon={hasTotals ? "table" : "home"}>
          {hasTotals ? text.button : text.home}
        </Button>
      }
    >
      <Boundary>
        <TotalsMenu resource={resource} state={state} onDone={() => setOpen(false)} />
      </Boundary>
    </Popover>
  );
}
