/** Texts of the home page; separate, so that the sign-in page does not load them. */
export const enHome = Object.freeze({
  title: "Home",
  hello: (name: string) => `Hello, ${name}`,
  resources: "Resources",
  period: "Period",
  days: (days: number) => (days === 365 ? "Last year" : `Last ${days} days`),
  unknown: "…",
  failed: "The numbers could not be loaded",
  fresh: (many: string) => `${many} new`,
  before: (many: string) => `, ${many} before`,
  noneNew: (days: number) => `none new in ${days} days`,
});
