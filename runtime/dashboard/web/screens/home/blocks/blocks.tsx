import { useId, useState } from "react";
import type { StoredHome } from "../../../api/account/home.js";
import { useSession } from "../../../api/account/session.js";
import { periods, usualPeriod } from "../../../api/records/numbers.js";
import { idOf } from "../../../home/blocks.js";
import { Arranged } from "../../../parts/arrange/arranged.js";
import { Period, usePeriod } from "../../../parts/chart/period.js";
import { Title } from "../../../parts/page/page.js";
import { enBlocks } from "../../../text/en/home/blocks.js";
import { enHome } from "../../../text/en/home/home.js";
import { HomeActions } from "./actions.js";
import { Content, widthOf } from "./content.js";
import { resolve } from "./resolve.js";
import { useArrangement } from "./use-arrangement.js";

export interface BlocksProps {
  readonly home: StoredHome;
}

/** A home page of stored blocks: the account's own, or those shared with all accounts. */
export default function Blocks({ home }: BlocksProps) {
  const { user, resources, viewer } = useSession();
  const [days, setDays] = usePeriod(periods, usualPeriod);
  const [isArranging, setArranging] = useState(false);
  const buttonId = useId();
  const arrangement = useArrangement(home);
  const mayChange = viewer === undefined;
  const all = arrangement.blocks.map((stored, at) => ({
    key: idOf(stored, at),
    ...resolve(stored, resources),
  }));
  // Blocks from another account's home page are omitted if the caller may not see their data.
  const blocks = all.filter(
    ({ shown }) => isArranging || shown.kind !== "absent" || !shown.isHidden,
  );
  const hasPeriod = blocks.some(({ shown: { kind } }) => kind === "overview" || kind === "new");
  return (
    <>
      <div className="top">
        <Title>{enHome.hello(user.name)}</Title>
        <div className="row wrap">
          {hasPeriod ? <Period periods={periods} value={days} onChange={setDays} /> : null}
          {mayChange ? (
            <HomeActions
              id={buttonId}
              home={home}
              arrangement={arrangement}
              isArranging={isArranging}
              onArranging={setArranging}
            />
          ) : null}
        </div>
      </div>
      <div className="content">
        {blocks.length === 0 ? <p className="muted">{enBlocks.empty}</p> : null}
        <Arranged
          label={enBlocks.blocks}
          isArranging={isArranging}
          focusId={buttonId}
          blocks={blocks.map(({ key, name, shown }) => ({
            key,
            name,
            width: widthOf(shown),
            content: (
              <Content
                block={{ name, shown }}
                days={days}
                onRemove={mayChange ? () => arrangement.remove(key, name) : null}
              />
            ),
          }))}
          onKeys={arrangement.reorder}
          onRemove={(key) => {
            const block = blocks.find((one) => one.key === key);
            if (block !== undefined) arrangement.remove(key, block.name);
          }}
        />
      </div>
    </>
  );
}
