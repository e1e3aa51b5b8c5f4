import { useEffect, useRef, useState } from "react";
import type { StoredHome } from "../../../api/account/home.js";
import { here, leaveTo, signInPath } from "../../../browser/address/address.js";
import { isNotFresh } from "../../../form/fresh.js";
import { type Blocks, idOf, ordered, shownBlocks, without } from "../../../home/blocks.js";
import { useWriteHome, whyNot } from "../../../home/use-home.js";
import { useToast } from "../../../parts/overlay/toast.js";
import { enBlocks } from "../../../text/en/home/blocks.js";
import { useUndo } from "../../../undo/use-undo.js";

const text = enBlocks;

/** The blocks of the home page, and the actions on them; every change is stored at once. */
export interface Arrangement {
  readonly blocks: Blocks;
  /** Stores the blocks in another order; `said` reports what was moved. */
  readonly reorder: (ids: readonly string[], said: string) => void;
  readonly remove: (id: string, name: string) => void;
  /** Removes the account's blocks, so that it sees the shared ones, or else the overview. */
  readonly reset: () => void;
  readonly share: () => void;
  readonly stopSharing: () => void;
}

export function useArrangement(home: StoredHome): Arrangement {
  const write = useWriteHome();
  const undo = useUndo();
  const [blocks, change] = useDraft(home);
  const replace = useReplacement();
  return {
    blocks,
    reorder: async (ids, said) => {
      const former = await change((now) => ordered(now, ids));
      if (former === null) return;
      undo(said, {
        title: text.home,
        run: () => write((now) => ({ own: unlessShared(inFormerOrder(now, former), former) })),
        onUndone: () => {},
        said: () => text.ownAgain,
      });
    },
    remove: async (id, name) => {
      const former = await change((now) => without(now, id));
      if (former === null) return;
      undo(text.removed(name), {
        title: text.home,
        run: () => write((now) => ({ own: unlessShared(withAgain(now, former, id), former) })),
        onUndone: () => {},
        said: () => text.isBack(name),
      });
    },
    reset: () =>
      replace(
        () => ({ own: null }),
        home.shared === null ? text.usesUsual : text.usesShared,
        text.ownAgain,
      ),
    share: () => replace((now) => ({ shared: shownBlocks(now) }), text.shared, text.sharedAgain),
    stopSharing: () => replace(() => ({ shared: null }), text.notShared, text.sharedAgain),
  };
}

type Change = (blocks: Blocks) => Blocks;

/** The account's blocks with changes that are not stored yet; a change resolves with what was stored before. */
function useDraft(
  home: StoredHome,
): readonly [Blocks, (change: Change) => Promise<StoredHome | null>] {
  const write = useWriteHome();
  const toast = useToast();
  const [draft, setDraft] = useState<Blocks | null>(null);
  const underWay = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is stored now replaces the draft
  useEffect(() => {
    if (underWay.current === 0) setDraft(null);
  }, [home]);
  const change = async (by: Change) => {
    underWay.current += 1;
    setDraft((former) => by(former ?? shownBlocks(home)));
    try {
      return await write((now) => ({ own: by(shownBlocks(now)) }));
    } catch (error) {
      setDraft(null);
      toast(whyNot(error));
      return null;
    } finally {
      underWay.current -= 1;
    }
  };
  return [draft ?? shownBlocks(home), change];
}

/** Replaces the blocks and offers to undo it. `said` reports the replacement, `back` the undo. */
function useReplacement() {
  const write = useWriteHome();
  const toast = useToast();
  const undo = useUndo();
  const replace = async (
    next: (home: StoredHome) => Partial<StoredHome>,
    said: string,
    back: string,
  ) => {
    try {
      const former = await write(next);
      const keys = Object.keys(next(former)) as (keyof StoredHome)[];
      const before = Object.fromEntries(keys.map((key) => [key, former[key]]));
      undo(said, {
        title: text.home,
        run: () => write(() => before),
        onUndone: () => {},
        said: () => back,
      });
    } catch (error) {
      if (!isNotFresh(error)) return toast(whyNot(error));
      const again = { label: text.signInAgain, onAction: () => leaveTo(signInPath(here())) };
      toast(text.notFresh, again);
    }
  };
  return (...given: Parameters<typeof replace>) => void replace(...given);
}

/** The blocks with a removed one in its former place. */
function withAgain(now: StoredHome, former: StoredHome, id: string): Blocks {
  const before = shownBlocks(former);
  const at = before.findIndex((block, index) => idOf(block, index) === id);
  return shownBlocks(now).toSpliced(at, 0, ...before.slice(at, at + 1));
}

/** The blocks in their former order; newer ones follow. */
function inFormerOrder(now: StoredHome, former: StoredHome): Blocks {
  return ordered(shownBlocks(now), shownBlocks(former).map(idOf));
}

/** Null if the account had stored no blocks before, and these are the ones that it saw. */
function unlessShared(blocks: Blocks, former: StoredHome): Blocks | null {
  const isAsShared =
    former.own === null && JSON.stringify(blocks) === JSON.stringify(shownBlocks(former));
  return isAsShared ? null : blocks;
}
