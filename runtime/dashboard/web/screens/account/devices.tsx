import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.js";
import { sentence } from "../../api/errors.js";
import { devicesQuestion } from "../../api/questions.js";
import { useSession } from "../../api/session.js";
import type { Device } from "../../api/types.js";
import { useWrite } from "../../api/writes.js";
import { Button } from "../../parts/button.js";
import { Confirm } from "../../parts/confirm.js";
import { Icon } from "../../parts/icon.js";
import { Refusal } from "../../parts/notice.js";
import { Failure, Skeleton, Tag } from "../../parts/page.js";
import { useToast } from "../../parts/toast.js";
import { enAccount } from "../../text/en-account.js";
import { browserName, date, relative } from "../../text/format.js";
import { Card } from "./card.js";

const text = enAccount.devices;

export function Devices() {
  const { user } = useSession();
  const question = devicesQuestion(user.id);
  const devices = useQuery(question);
  const client = useQueryClient();
  const toast = useToast();
  const [isAsking, setAsking] = useState(false);
  const again = () => client.invalidateQueries(question);
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
      await again();
    },
  });
  const list = devices.data?.data ?? [];
  const others = list.filter(({ current }) => !current);
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
          text={text.othersText(others.length)}
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

function lineOf({ ipAddress, lastUsedAt, createdAt, expiresAt }: Device): string {
  const line = text.line(ipAddress ?? "–", relative(lastUsedAt), date(createdAt));
  return expiresAt === null ? text.noEnd(line) : line;
}

function nameOf({ name, browser }: Device): string {
  return name ?? browserName(browser) ?? text.unknown;
}
