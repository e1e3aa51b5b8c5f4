import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSession } from "../../api/account/session.js";
import { call } from "../../api/client/client.js";
import { useWrite } from "../../api/client/writes.js";
import { type Webhook, webhooksKey, webhooksPath } from "../../api/webhooks/queries.js";
import { isNotFresh, sendOrSignIn } from "../../form/fresh.js";
import { Button } from "../../parts/button/button.js";
import { Field } from "../../parts/form/field.js";
import { Form } from "../../parts/form/form.js";
import { Switch } from "../../parts/form/switch.js";
import { Dialog } from "../../parts/overlay/dialog.js";
import { Refusal } from "../../parts/status/notice.js";
import { en } from "../../text/en/en.js";
import { enWebhooks } from "../../text/en/operators/webhooks.js";
import { actions, eventsIn, namesOf } from "./events.js";

const text = enWebhooks;

export interface WebhookFormProps {
  /** Null for a new one. */
  readonly webhook: Webhook | null;
  readonly onClose: () => void;
  /** Called with the webhook; if it is new, with its secret. */
  readonly onSaved: (saved: Webhook & { readonly secret?: string }) => void;
}

/** Creates or changes a webhook. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one form, whose parts share its state
export function WebhookForm({ webhook, onClose, onSaved }: WebhookFormProps) {
  const { user, resources } = useSession();
  const client = useQueryClient();
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [events, setEvents] = useState(() => eventsIn(webhook?.events ?? []));
  const [disabled, setDisabled] = useState(webhook?.disabled ?? false);
  const [isEmpty, setEmpty] = useState(false);
  const watchable = resources.filter(({ changes = false }) => changes !== false);
  const save = useWrite({
    run: (body: object): Promise<Webhook & { readonly secret?: string }> =>
      webhook === null
        ? call<Webhook & { readonly secret: string }>("POST", webhooksPath, { body })
        : call<Webhook>("PATCH", `${webhooksPath}/${webhook.id}`, { body }),
    onDone: async (saved) => {
      onSaved(saved);
      await client.invalidateQueries({ queryKey: webhooksKey(user.id) });
    },
    fields: ["url", "events"],
    required: () => ({ url: url.trim() }),
  });
  const choose = (event: string, { isOn }: { readonly isOn: boolean }) => {
    const next = new Set(events);
    if (isOn) next.add(event);
    else next.delete(event);
    setEvents(next);
    setEmpty(false);
    save.forget("events");
  };
  const problem = isEmpty ? text.eventsMissing : save.refused.fields.events;
  return (
    <Dialog title={webhook === null ? text.addTitle : text.editTitle} onClose={onClose}>
      <Form
        writes={[save]}
        onSubmit={() => {
          setEmpty(events.size === 0);
          if (events.size === 0) return;
          const names = namesOf(
            events,
            watchable.map(({ name }) => name),
          );
          sendOrSignIn(save, { url: url.trim(), events: names, disabled });
        }}
      >
        <Field
          label={text.url}
          name="url"
          value={url}
          inputMode="url"
          maxLength={2_000}
          autoFocus
          autoComplete="off"
          onChange={setUrl}
          error={save.refused.fields.url}
          help={text.urlHelp}
        />
        <fieldset className="event-choice">
          <legend className="label">{text.events}</legend>
          {watchable.map(({ name, label }) => (
            <div key={name} className="event-row">
              <p>
                <bdi>{label}</bdi>
              </p>
              {actions.map((action) => (
                <label key={action} className="event">
                  <input
                    className="check"
                    type="checkbox"
                    aria-label={text.eventOf(label, text.actions[action])}
                    checked={events.has(`${name}.${action}`)}
                    onChange={({ target }) => choose(`${name}.${action}`, { isOn: target.checked })}
                  />
                  {text.actions[action]}
                </label>
              ))}
            </div>
          ))}
          <p className="error" role="alert">
            {problem}
          </p>
        </fieldset>
        {webhook === null ? null : (
          <Switch
            id="webhook-disabled"
            label={text.disabled}
            isOn={disabled}
            onChange={setDisabled}
            help={text.disabledHelp}
          />
        )}
        <Refusal refused={save.refused} />
        <div className="actions">
          <Button onPress={onClose}>{en.common.cancel}</Button>
          <Button look="primary" type="submit" isBusy={save.isBusy}>
            {isNotFresh(save.error)
              ? text.signInAgain
              : webhook === null
                ? text.create
                : en.common.save}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
