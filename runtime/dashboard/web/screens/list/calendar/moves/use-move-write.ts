import { hashKey, useQueryClient } from "@tanstack/react-query";
import { useSession } from "../../../../api/account/session.js";
import { callWhole } from "../../../../api/client/client.js";
import { isStatus, refusedOf } from "../../../../api/client/errors.js";
import type { Row } from "../../../../api/client/types.js";
import { newKey } from "../../../../api/client/writes.js";
import { titleOf } from "../../../../api/records/descriptors.js";
import {
  forgetLists,
  recordAddress,
  type Version,
  versionOf,
} from "../../../../api/records/records.js";
import { undoEdit } from "../../../../api/records/undo.js";
import { useToast } from "../../../../parts/overlay/toast.js";
import { en } from "../../../../text/en/en.js";
import { enCalendar } from "../../../../text/en/lists/calendar.js";
import { useUndo } from "../../../../undo/use-undo.js";
import { useCellWrites } from "../../cell/saving.js";
import { dayName } from "../names.js";
import { dayOfRecord } from "../placed.js";
import type { CalendarDays, DaysRead } from "../use-days.js";

const text = enCalendar;

/**
 * Updates a record's date or time unless the record has changed in the meantime, and offers to undo it. Resolves with
 * whether it was written.
 */
export function useMoveWrite(
  { resource, field }: CalendarDays,
  days: DaysRead,
): (row: Row, etag: string, value: string) => Promise<boolean> {
  const { user, resources } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const offerUndo = useUndo();
  const writes = useCellWrites();
  const refuse = (row: Row, error: unknown) => {
    const isStale = isStatus(error, 412) || isStatus(error, 404);
    const { fields, general } = refusedOf(error, [field.name]);
    const why = fields[field.name] ?? general ?? en.errors.tooMany;
    toast(text.notMoved(titleOf(resource, row), isStale ? text.changedElsewhere : why));
    if (isStale) void days.renew([row.id]).catch(() => {});
  };
  return async (row, etag, value) => {
    const { id } = row;
    const path = recordAddress(resource.name, id);
    const idempotencyKey = newKey();
    const put = ({ record, etag: next }: Version) => {
      const names = Object.keys(row).filter((name) => name in record);
      days.put({ ...row, ...Object.fromEntries(names.map((name) => [name, record[name]])) }, next);
      forgetLists(client, { account: user.id, resources, resource }, hashKey(days.queryKey));
    };
    try {
      const version = await writes.run({ id, field: field.name }, async (latest) => {
        const body = { [field.name]: value };
        const options = { body, ifMatch: latest ?? etag, idempotencyKey };
        return versionOf(await callWhole<Row>("PATCH", path, options));
      });
      put(version);
      const title = titleOf(resource, row);
      const saved = { resource: resource.name, id, etag: version.etag };
      offerUndo(text.moved(title, dayName(dayOfRecord(field, version.record))), {
        title,
        run: (key) => undoEdit(saved, { [field.name]: row[field.name] }, key),
        onUndone: put,
      });
      return true;
    } catch (error) {
      refuse(row, error);
      return false;
    }
  };
}
