import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { appsQuery } from "../../../api/account/apps.js";
import { devicesQuery } from "../../../api/account/queries.js";
import { useSession } from "../../../api/account/session.js";
import { call } from "../../../api/client/client.js";
import { sentence } from "../../../api/client/errors.js";
import type { Device } from "../../../api/client/types.js";
import { useWrite } from "../../../api/client/writes.js";
import { Button } from "../../../parts/button/button.js";
import { Icon } from "../../../parts/button/icon.js";
import { Confirm } from "../../../parts/overlay/confirm.js";
import { useToast } from "../../../parts/overlay/toast.js";
import { Failure, Skeleton, Tag } from "../../../parts/page/page.js";
import { Refusal } from "../../../parts/status/notice.js";
import { date, relative, timeOfDay } from "../../../text/dates.js";
import { enAccount } from "../../../text/en/account.js";
import { browserName } from "../../../text/format.js";
import { Card } from "../card.js";
import { Apps } from "./apps.js";

const text = enAccount.devices;

/** The devices, and the apps below them. */
export function DevicesPart() {
  return (
    <div className="stack">
      <Devices />
      <Apps />
    </div>
  );
}

function Devices() {
  const { user } = useSession();
  const query = devicesQuery(user.id);
  const devices = useQuery(query);
  const client = useQueryClient();
  const toast = useToast();
  const [isAsking, setAsking] = useState(false);
  const again = () => client.invalidateQueries(query);
  const end = useWrite({
    run: (device: Device) => call<undefined>("DELETE", `/auth/sessions/${device.id}`),
    onDone: async (_, device) => {
      toast(text.done(nameOf(device)));
      await again();
    },
  });
  const endOthers = useWrite({
    run: () => call<undefined>("DELETE", "/auth/sessions"),
    onDone: async () => {
      setAsking(false);
      toast(text.othersDone);
      await Promise.all([again(), client.invalidateQueries(appsQuery(user.id))]);
    },
  });
  const all = devices.data?.data ?? [];
  const list = all.filter(({ kind }) => kind !== "app");
  const others = all.filter(({ current }) => !current);
  const action =
    others.length === 0 ? null : (
      <Button look="quiet-danger" onPress={() => setAsking(true)}>
        {text.others}
      </Button>
    );
  return (
    <Card title={text.title} text={text.text} action={action}>
      {devices.isPending || devices.isError ? (
        <div className="body">
          {devices.isPending ? (
            <Skeleton />
          ) : (
            <Failure text={sentence(devices.error)} onRetry={() => void devices.refetch()} />
          )}
        </div>
      ) : null}
      <Refusal refused={end.refused} />
      <ul className="rows">
        {list.map((device) => (
          <li key={device.id} className="device">
            <Icon name={/iPhone|Android|Mobile/.test(device.browser ?? "") ? "phone" : "screen"} />
            <div className="grow">
              <p className="strong cut">
                <bdi>{nameOf(device)}</bdi>
              </p>
              <p className="small muted">{lineOf(device)}</p>
            </div>
            {device.current ? (
              <Tag look="mine">{text.this}</Tag>
            ) : (
              <Button
                size="small"
                label={text.signOutOf(nameOf(device))}
                isBusy={end.isBusy}
                onPress={() => end.send(device)}
              >
                {text.signOut}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {isAsking ? (
        <Confirm
          title={text.othersTitle}
          text={text.othersText(others.length, { hasApps: all.length > list.length })}
          button={text.others}
          isBusy={endOthers.isBusy}
          refused={endOthers.refused}
          onConfirm={() => endOthers.send(undefined)}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </Card>
  );
}

function lineOf({ kind, ipAddress, lastUsedAt, createdAt, expiresAt }: Device): string {
  if (kind === "view") return text.viewLine(relative(createdAt), timeOfDay(expiresAt ?? ""));
  const line = text.line(ipAddress ?? "–", relative(lastUsedAt), date(createdAt));
  return expiresAt === null ? text.noEnd(line) : line;
}

function nameOf({ kind, name, browser }: Device): string {
  if (kind === "view") return text.viewer(name ?? "");
  return name ?? browserName(browser) ?? text.unknown;
}
