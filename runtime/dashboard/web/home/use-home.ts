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

/** Runs asynchronous tasks one after another. */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const next = last.then(work);
  last = next.catch(() => {});
  return next;
}

/** Updates the stored home page, and resolves with its previous version. */
export type WriteHome = (change: (home: StoredHome) => Partial<StoredHome>) => Promise<StoredHome>;

/** Applies each change to the version stored at that moment, so that changes from other windows are not lost. */
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

/** Explains why the home page could not be saved. */
export function whyNot(error: unknown): string {
  return isStatus(error, 422) ? text.full : sentence(error);
}

/** Adds a block to the account's home page. Null while an operator views the app as another account. */
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
