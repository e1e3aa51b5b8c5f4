import { rareWord, type Seeded } from "./seed.js";

/** One row of the table: what is asked, and how much faster than the references it has to be. */
export interface Case {
  readonly name: string;
  readonly rows: 10_000 | 1_000_000;
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: (seeded: Seeded) => string;
  /** A new body for each request. */
  readonly body?: (seeded: Seeded) => object;
  /** Least ratio of requests a second, against E and, where given, R. */
  readonly target: { readonly e: number; readonly r?: number };
}

let written = 0;

/** The rows of the performance targets that the server can answer today. */
export const cases: readonly Case[] = [
  {
    name: "GET one",
    rows: 10_000,
    method: "GET",
    path: ({ id }) => `/api/products/${id}`,
    target: { e: 1.7, r: 1.1 },
  },
  {
    name: "list, 10 000 rows",
    rows: 10_000,
    method: "GET",
    path: () => "/api/products",
    target: { e: 3 },
  },
  {
    name: "list, 1 000 000 rows",
    rows: 1_000_000,
    method: "GET",
    path: () => "/api/products",
    target: { e: 50 },
  },
  {
    name: "list by an enum",
    rows: 1_000_000,
    method: "GET",
    path: () => "/api/products?filter%5Bstatus%5D=live",
    target: { e: 20 },
  },
  {
    name: "last page",
    rows: 1_000_000,
    method: "GET",
    path: ({ products }) => `/api/products?page=${products / 25}`,
    target: { e: 10 },
  },
  {
    name: "q, a rare word",
    rows: 1_000_000,
    method: "GET",
    path: () => `/api/products?q=${rareWord}`,
    target: { e: 10 },
  },
  {
    name: "_stats with a field",
    rows: 1_000_000,
    method: "GET",
    path: () => "/api/products/_stats?field=status",
    target: { e: 50 },
  },
  {
    name: "POST",
    rows: 10_000,
    method: "POST",
    path: () => "/api/products",
    body: ({ categoryId }) => {
      written += 1;
      return { name: `Written ${process.pid} ${written}`, price: 2.5, categoryId };
    },
    target: { e: 1 },
  },
  {
    name: "PATCH",
    rows: 10_000,
    method: "PATCH",
    path: ({ id }) => `/api/products/${id}`,
    body: () => ({ price: 3.5 }),
    target: { e: 1 },
  },
];
