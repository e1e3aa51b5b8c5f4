import { useQuery } from "@tanstack/react-query";
import { accountParts } from "../../api/account/account-parts.js";
import { configQuery } from "../../api/account/queries.js";
import { type Session, useSession } from "../../api/account/session.js";
import type { AuthConfig } from "../../api/client/types.js";
import { listPath, may, recordPath, things } from "../../api/records/descriptors.js";
import { readKept } from "../../browser/storage/kept.js";
import { openedRecords } from "../../browser/storage/recent.js";
import { viewPath, viewsOf } from "../../browser/storage/views.js";
import { en } from "../../text/en/en.js";
import { enJump } from "../../text/en/jump.js";

/** Somewhere to jump to. */
export interface Place {
  readonly href: string;
  readonly label: string;
  /** What tells it from others of its name. */
  readonly detail?: string | undefined;
}

export interface PlaceGroup {
  /** Unlike those of other groups. */
  readonly key: string;
  readonly name: string;
  readonly places: readonly Place[];
}

const text = en.frame;

/** What is known without asking: records that were opened, pages, and saved views. */
export function usePlaces(wanted: string): readonly PlaceGroup[] {
  const session = useSession();
  const config = useQuery(configQuery);
  const term = wanted.trim().toLocaleLowerCase();
  return [
    { key: "recent", name: enJump.recent, places: openedOf(session) },
    { key: "pages", name: enJump.pages, places: pagesOf(session, config.data) },
    { key: "views", name: enJump.views, places: viewsIn(session) },
  ]
    .map(({ places, ...group }) => ({
      ...group,
      places: places.filter(({ label }) => label.toLocaleLowerCase().includes(term)),
    }))
    .filter(({ places }) => places.length > 0);
}

function openedOf({ user, resources }: Session): readonly Place[] {
  return openedRecords(user.id).flatMap(({ resource: name, id, title }) => {
    const resource = resources.find((one) => one.name === name);
    if (resource === undefined) return [];
    return [{ href: recordPath(name, id), label: title, detail: resource.singular }];
  });
}

function pagesOf(
  { resources, operator }: Session,
  config: AuthConfig | undefined,
): readonly Place[] {
  return [
    { href: "/", label: text.home },
    ...resources
      .filter((one) => may(one, "list"))
      .map((one) => ({ href: listPath(one), label: one.label })),
    ...accountParts(config).map((part) => ({
      href: `/account/${part}`,
      label: `${text.account}: ${en.account.parts[part]}`,
    })),
    ...(operator ? [{ href: "/accounts", label: text.accounts }] : []),
  ];
}

function viewsIn({ user, resources }: Session): readonly Place[] {
  return resources
    .filter((one) => may(one, "list"))
    .flatMap((resource) =>
      readKept(user.id, `views:${resource.name}`, viewsOf).map((view) => ({
        href: viewPath(listPath(resource), view),
        label: enJump.viewOf(view.name, things(resource)),
      })),
    );
}
