/** How programs request a list. */
export const enApi = Object.freeze({
  tab: "API",
  views: "Views",
  title: (label: string) => `${label} by API`,
  intro:
    "How a program requests this list, including its filters and order. A program signs in with",
  token: "a service token",
  address: "Address",
  curl: "curl",
  client: "Generated client",
  answer: (shown: number) => `Response, with ${shown} records at most`,
  copy: (title: string) => `Copy: ${title}`,
});
