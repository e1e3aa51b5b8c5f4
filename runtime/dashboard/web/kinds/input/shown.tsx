import { useQuery } from "@tanstack/react-query";
import { elementsOf } from "../../../../values/csv/list-cell.js";
import { useSession } from "../../api/account/session.js";
import { filePath, may, titleOf } from "../../api/records/descriptors.js";
import { titleQuery } from "../../api/records/queries.js";
import { exactTime } from "../../text/dates.js";
import { enRecord } from "../../text/en/record.js";
import { kindOf } from "../kinds.js";
import { Blank } from "../value/blank.js";
import type { ShownProps } from "./input.js";

/** Shows text and numbers as typed. */
export function ShownText({ typed }: ShownProps) {
  return typed === "" ? <Blank /> : <bdi className="prose">{typed}</bdi>;
}

export function ShownList({ typed }: ShownProps) {
  return typed === "" ? <Blank /> : <bdi className="prose">{elementsOf(typed).join(", ")}</bdi>;
}

export function ShownSwitch({ typed }: ShownProps) {
  if (typed === "") return <Blank />;
  return <>{typed === "true" ? enRecord.yes : enRecord.no}</>;
}

export function ShownMoment({ typed }: ShownProps) {
  if (typed === "") return <Blank />;
  const isWhole = !Number.isNaN(new Date(typed).getTime());
  return <>{isWhole ? exactTime(typed) : typed}</>;
}

/** Shows the related record's title, fetched individually: a merge has few of them. */
export function ShownRecord({ field, typed }: ShownProps) {
  const { user, resources } = useSession();
  const target = resources.find(({ name }) => name === field.resource);
  const record = useQuery({
    ...titleQuery(user.id, target, typed),
    enabled: typed !== "" && target !== undefined && may(target, "get"),
  });
  if (typed === "") return <Blank />;
  if (field.resource === "users" && typed === user.id) return <bdi>{user.name}</bdi>;
  return <bdi>{titleOf(target, record.data ?? { id: typed })}</bdi>;
}

export function ShownFile({ field, typed }: ShownProps) {
  if (typed === "") return <Blank />;
  const path = filePath({ key: typed, renditions: {} });
  return (
    <a className="row" href={path} target="_blank" rel="noreferrer">
      {kindOf(field).isPicture ? <img className="thumb" src={path} alt="" /> : null}
      <bdi>{fileName(typed)}</bdi>
    </a>
  );
}

/** The file name at the end of a storage key. */
export function fileName(key: string): string {
  return key.split("/").at(-1)?.slice(37) ?? key;
}
