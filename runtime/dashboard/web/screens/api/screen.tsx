import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link, useSearch } from "wouter";
import { useSession } from "../../api/account/session.js";
import { sentence } from "../../api/client/errors.js";
import type { Resource } from "../../api/client/types.js";
import { listAddress, listPath } from "../../api/records/descriptors.js";
import { listQuery } from "../../api/records/queries.js";
import { printParams, readList } from "../../browser/address/list-address.js";
import { copyToClipboard } from "../../browser/files/clipboard.js";
import { conditionParams, sortParams } from "../../kinds/query/list-parameters.js";
import { rulesOf } from "../../kinds/query/list-rules.js";
import { Button } from "../../parts/button/button.js";
import { useToast } from "../../parts/overlay/toast.js";
import { Failure, Skeleton, Title } from "../../parts/page/page.js";
import { enApi } from "../../text/en/api.js";
import { en } from "../../text/en/en.js";
import { enList } from "../../text/en/list.js";
import "./screen.css";
import { addressOf, clientOf, curlOf } from "./snippets.js";

const text = enApi;

/** The number of records in the example: enough to see their shape. */
const shown = 2;

/** Shows how a program requests the open list with its filters, and the response. */
export default function Api({ resource }: { readonly resource: Resource }) {
  const { user } = useSession();
  const search = useSearch();
  const params = useMemo(() => {
    const { listing } = readList(search, rulesOf(resource));
    return [...conditionParams(resource, listing), ...sortParams(listing)];
  }, [search, resource]);
  const example = printParams([...params, ["perPage", String(shown)]]);
  const answer = useQuery(listQuery(user.id, resource.name, example));
  return (
    <>
      <div className="top">
        <Title>{text.title(resource.label)}</Title>
      </div>
      <nav className="tabs" aria-label={text.views}>
        <Link href={listAddress(resource, search)}>{enList.all}</Link>
        <Link href={`${listPath(resource)}/api`} aria-current="page">
          {text.tab}
        </Link>
      </nav>
      <div className="content api">
        <p className="muted">
          {text.intro} <Link href="/account/tokens">{text.token}</Link>.
        </p>
        <Snippet title={text.address} code={addressOf(resource.path, params)} />
        <Snippet title={text.curl} code={curlOf(resource.path, params)} />
        <Snippet title={text.client} code={clientOf(resource, params)} />
        {answer.isPending ? <Skeleton lines={6} /> : null}
        {answer.isError ? (
          <Failure text={sentence(answer.error)} onRetry={() => void answer.refetch()} />
        ) : null}
        {answer.data === undefined ? null : (
          <Snippet title={text.answer(shown)} code={JSON.stringify(answer.data, null, 2)} />
        )}
      </div>
    </>
  );
}

function Snippet({ title, code }: { readonly title: string; readonly code: string }) {
  const toast = useToast();
  const copy = async () => {
    toast((await copyToClipboard(code)) ? en.common.copied : en.common.notCopied);
  };
  return (
    <section className="stack near" aria-label={title}>
      <div className="row spread">
        <h2>{title}</h2>
        <Button
          size="small"
          look="quiet"
          icon="copy"
          label={text.copy(title)}
          onPress={() => void copy()}
        >
          {en.common.copy}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keys as well */}
      <pre className="snippet mono" tabIndex={0}>
        {code}
      </pre>
    </section>
  );
}
