/** How programs ask for a list. */
export const enApi = Object.freeze({
  tab: "API",
  views: "Views",
  title: (label: string) => `${label} by API`,
  intro:
    "The list as it was open, its filters and order included, as a program asks for it. A program signs in with",
  token: "a service token",
  address: "Address",
  curl: "curl",
  client: "Generated client",
  answer: (shown: number) => `Answer, with ${shown} records at most`,
  copy: (title: string) => `Copy: ${title}`,
});
