import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { Link } from "wouter";
import { sentence } from "../../api/client/errors.js";
import { Failure } from "../../parts/page/page.js";

/** The result of a query; undefined data means that it failed. */
export type Answer<Data> = Pick<UseQueryResult<Data>, "data" | "error" | "refetch">;

/** A panel: a title with a link to the full list, and the recent events, or why they could not be loaded. */
export function Panel<Data>({
  title,
  answer,
  more,
  children,
}: {
  readonly title: string;
  readonly answer: Answer<Data>;
  readonly more?: { readonly href: string; readonly label: string } | undefined;
  readonly children: (data: Data) => ReactNode;
}) {
  const id = useId();
  const { data, error, refetch } = answer;
  return (
    <section className="card panel wide" aria-labelledby={id}>
      <div className="head">
        <h2 id={id} className="grow">
          {title}
        </h2>
        {more === undefined ? null : (
          <Link className="small" href={more.href}>
            {more.label}
          </Link>
        )}
      </div>
      {data === undefined ? (
        <div className="body">
          <Failure text={sentence(error)} onRetry={() => void refetch()} />
        </div>
      ) : (
        children(data)
      )}
    </section>
  );
}
