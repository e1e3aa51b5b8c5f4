import { useId } from "react";
import { Link } from "wouter";
import type { Resource } from "../api/client/types.js";
import { Icon } from "../parts/button/icon.js";
import { ResourceIcon } from "../parts/button/resource-icon.js";
import { en } from "../text/en/en.js";

const text = en.frame;

export interface NavigationGroupProps {
  /** Empty for the resources of no group. */
  readonly name: string;
  readonly members: readonly Resource[];
  readonly current: (href: string) => "page" | undefined;
  readonly pins: readonly string[];
  /** Null if there are too few resources to need pins. */
  readonly onPin: ((resource: string) => void) | null;
  readonly isFolded?: boolean;
  /** Null if the group cannot be collapsed. */
  readonly onFold?: (() => void) | null;
}

/** Resources under the name of their group. If there are many, groups can be collapsed and resources pinned. */
export function NavigationGroup(props: NavigationGroupProps) {
  const { name, members, current, pins, onPin, isFolded = false, onFold = null } = props;
  const id = useId();
  return (
    <section>
      {name === "" ? null : (
        <h2>
          {onFold === null ? (
            <bdi>{name}</bdi>
          ) : (
            <button type="button" aria-expanded={!isFolded} aria-controls={id} onClick={onFold}>
              <Icon name={isFolded ? "right" : "down"} />
              <bdi className="cut">{name}</bdi>
            </button>
          )}
        </h2>
      )}
      <ul id={id} hidden={isFolded}>
        {members.map(({ name: resource, label, icon }) => (
          <li key={resource}>
            <Link href={`/data/${resource}`} aria-current={current(`/data/${resource}`)}>
              <ResourceIcon name={icon} />
              <bdi className="cut">{label}</bdi>
            </Link>
            {onPin === null ? null : (
              <button
                type="button"
                className="pin"
                data-resource={resource}
                aria-pressed={pins.includes(resource)}
                aria-label={text.pin(label)}
                onClick={() => onPin(resource)}
              >
                <Icon name="pin" />
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
