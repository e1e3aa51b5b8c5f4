import { useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import type { StoredHome } from "../api/account/home.js";
import { homeQuery, putHome } from "../api/account/queries.js";
import { useSession } from "../api/account/session.js";
import { isStatus, sentence } from "../api/client/errors.js";
import { newKey } from "../api/client/writes.js";
import { useToast } from "../parts/overlay/toast.js";
import { enBlocks } from "../text/en/home/blocks.js";
import { useUndo } from "../undo/use-undo.js";
import { type Block, shownBlocks, without } from "./blocks.js";

const text = enBlocks;

let last: Promise<unknown> = Promise.resolve();

/** Runs one work after the other. */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const next = last.then(work);
  last = next.catch(() => {});
  return next;
}

/** Changes what is stored, and resolves with what was stored before. */
export type WriteHome = (change: (home: StoredHome) => Partial<StoredHome>) => Promise<StoredHome>;

/** Changes apply to what is stored at that moment, so that those of another window are kept. */
export function useWriteHome(): WriteHome {
  const { user } = useSession();
  const client = useQueryClient();
  return (change) =>
    inTurn(async () => {
      const query = homeQuery(user.id);
      const former = await client.fetchQuery({ ...query, staleTime: 0 });
      client.setQueryData(query.queryKey, await putHome(change(former)));
      return former;
    });
}

/** Why the home could not be stored. */
export function whyNot(error: unknown): string {
  return isStatus(error, 422) ? text.full : sentence(error);
}

/** Adds a block to the account's home; null while an operator views the app as the account. */
export function useAddToHome(): ((block: Block, name: string) => void) | null {
  const { viewer } = useSession();
  const [, go] = useLocation();
  const write = useWriteHome();
  const toast = useToast();
  const undo = useUndo();
  if (viewer !== undefined) return null;
  const add = async (block: Block, name: string) => {
    const id = newKey();
    try {
      const former = await write((home) => ({ own: [...shownBlocks(home), { id, ...block }] }));
      const takeBack = (home: StoredHome) => {
        const rest = without(home.own ?? [], id);
        const isFirst = former.own === null && rest.length === shownBlocks(former).length;
        return { own: isFirst ? null : rest };
      };
      undo(
        text.added(name),
        {
          title: text.home,
          run: () => write(takeBack),
          onUndone: () => {},
          said: () => text.notAdded(name),
        },
        { label: text.open, onAction: () => go("/") },
      );
    } catch (error) {
      toast(whyNot(error));
    }
  };
  return (block, name) => void add(block, name);
}
