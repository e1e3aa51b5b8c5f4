/** The sentences of the home page; separate, so that the sign-in does not load them. */
export const enHome = Object.freeze({
  title: "Home",
  hello: (name: string) => `Hello, ${name}`,
  resources: "Resources",
  none: "You have no access to any list. An operator can give you a role.",
  begin: "There is nothing here yet. Create the first:",
  lists: "Lists that you may read",
  new: (thing: string) => `New ${thing}`,
  period: "Period",
  days: (days: number) => (days === 365 ? "Last year" : `Last ${days} days`),
  unknown: "…",
  failed: "The numbers could not be loaded",
  fresh: (many: string) => `${many} new`,
  before: (many: string) => `, ${many} before`,
  noneNew: (days: number) => `none new in ${days} days`,
});
