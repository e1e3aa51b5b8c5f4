import { createContext, useContext } from "react";
import type { Me, Resource } from "../client/types.js";

/** The signed-in account, and the resources that it may see. */
export interface Session extends Me {
  readonly resources: readonly Resource[];
  /** Maximum size of an upload in bytes; null until the API has sent it. */
  readonly uploadLimit: number | null;
  /** Maximum size in bytes of a resumable upload that is not a picture; null if uploads are not resumable. */
  readonly resumableLimit: number | null;
  /** The parts of the app, besides its resources, that the account manages. */
  readonly parts: readonly string[];
}

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("This screen requires a signed-in account");
  return session;
}

/** Returns the path of a picture's smallest rendition; never its `url`, which may be on another host. */
export function pictureOf({ avatarFile }: Me["user"]): string | undefined {
  const key = avatarFile?.key;
  if (key === undefined) return undefined;
  const thumb = avatarFile?.renditions.thumb?.url.split("/").at(-1);
  const folder = key.split("/").slice(0, -1).join("/");
  return `/api/_service/files/${thumb === undefined ? key : `${folder}/${thumb}`}`;
}
