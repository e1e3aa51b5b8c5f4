/** Texts about requesting a list from programs. */
export const enApi = Object.freeze({
  tab: "API",
  views: "Views",
  title: (label: string) => `${label} via the API`,
  intro: "How programs request this list, with its filters and order. They authenticate with",
  token: "a service token",
  address: "Address",
  curl: "curl",
  client: "Generated client",
  answer: (shown: number) => `Response, with at most ${shown} records`,
  copy: (title: string) => `Copy: ${title}`,
});
