import { useQuery } from "@tanstack/react-query";
import { accountParts } from "../../api/account/account-parts.js";
import type { AuthConfig } from "../../api/account/auth-config.js";
import { configQuery } from "../../api/account/queries.js";
import { type Session, useSession } from "../../api/account/session.js";
import type { Resource } from "../../api/client/types.js";
import { listPath, may, recordPath, things } from "../../api/records/descriptors.js";
import { readKept } from "../../browser/storage/kept.js";
import { openedRecords } from "../../browser/storage/recent.js";
import { viewPath, viewsOf } from "../../browser/storage/views.js";
import { Icon, type IconName } from "../../parts/button/icon.js";
import { ResourceIcon } from "../../parts/button/resource-icon.js";
import { en } from "../../text/en/en.js";
import { enJump } from "../../text/en/jump.js";
import { matches, type Place, type PlaceGroup } from "./place.js";

const text = en.frame;

/** Places that are found without a request: opened records, pages and saved views. */
export function usePlaces(wanted: string): readonly PlaceGroup[] {
  const session = useSession();
  const config = useQuery(configQuery);
  return [
    { key: "recent", name: enJump.recent, places: openedOf(session) },
    { key: "pages", name: enJump.pages, places: pagesOf(session, config.data) },
    { key: "views", name: enJump.views, places: viewsIn(session) },
  ].map(({ places, ...group }) => ({
    ...group,
    places: places.filter(({ label }) => matches(label, wanted.trim())),
  }));
}

function openedOf({ user, resources }: Session): readonly Place[] {
  return openedRecords(user.id).flatMap(({ resource: name, id, title }) => {
    const resource = resources.find((one) => one.name === name);
    if (resource === undefined) return [];
    return [{ ...placeIn(resource, recordPath(name, id), title), detail: resource.singular }];
  });
}

function pagesOf(
  { resources, operator, parts }: Session,
  config: AuthConfig | undefined,
): readonly Place[] {
  return [
    page("home", "/", text.home),
    ...resources
      .filter((one) => may(one, "list"))
      .map((one) => placeIn(one, listPath(one), one.label)),
    ...accountParts(config).map((part) =>
      page("person", `/account/${part}`, `${text.account}: ${en.account.parts[part]}`),
    ),
    ...(operator
      ? [
          page("shield", "/accounts", text.accounts),
          page("list", "/activity", text.activity),
          page("eye", "/status", text.status),
        ]
      : []),
    ...(parts.includes("jobs") ? [page("clock", "/jobs", text.jobs)] : []),
    ...(parts.includes("webhooks") ? [page("out", "/webhooks", text.webhooks)] : []),
  ];
}

function viewsIn({ user, resources }: Session): readonly Place[] {
  return resources
    .filter((one) => may(one, "list"))
    .flatMap((resource) =>
      readKept(user.id, `views:${resource.name}`, viewsOf).map((view) =>
        placeIn(
          resource,
          viewPath(listPath(resource), view),
          enJump.viewOf(view.name, things(resource)),
        ),
      ),
    );
}

function page(icon: IconName, href: string, label: string): Place {
  return { key: href, label, icon: <Icon name={icon} />, onAction: null };
}

/** A place that belongs to a resource. */
export function placeIn({ icon }: Resource, href: string, label: string): Place {
  return { key: href, label, icon: <ResourceIcon name={icon} />, onAction: null };
}
