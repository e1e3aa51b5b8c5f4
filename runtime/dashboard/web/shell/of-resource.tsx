import { type ReactNode, useEffect } from "react";
import { useSession } from "../api/account/session.js";
import type { Resource } from "../api/client/types.js";
import { Skeleton, Title } from "../parts/page/page.js";
import { en } from "../text/en/en.js";

export interface OfResourceProps {
  /** The resource's name in the address. */
  readonly name: string;
  readonly isLoading: boolean;
  /** Loads the screen's module while the resources are still loading. */
  readonly preload: () => void;
  readonly children: (resource: Resource) => ReactNode;
}

/** The screen of the resource in the address, or a message if the resource does not exist. */
export function OfResource({ name, isLoading, preload, children }: OfResourceProps) {
  const { resources } = useSession();
  useEffect(preload, [preload]);
  const resource = resources.find((one) => one.name === name);
  if (resource !== undefined) return children(resource);
  return (
    <>
      <div className="top">
        <Title>{isLoading ? en.common.loading : en.missing.title}</Title>
      </div>
      <div className="content">
        {isLoading ? <Skeleton /> : <p className="muted">{en.missing.text}</p>}
      </div>
    </>
  );
}
