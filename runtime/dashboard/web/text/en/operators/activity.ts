import { counted } from "../en.js";

/** Texts of the activity page; separate, so that the sign-in page does not load them. */
export const enActivity = Object.freeze({
  title: "Activity",
  forbidden: "Your role may not see what other accounts did.",
  period: "Period",
  periods: { "1": "Last hour", "12": "Last 12 hours", "24": "Last day", "168": "Last 7 days" },
  since: (time: string) => `Since ${time}`,
  refresh: "Refresh",
  failures: "Failures",
  noFailures: "No job and no webhook delivery failed.",
  allJobs: "All failed jobs",
  job: "Job",
  webhook: "Webhook",
  deliveries: (many: number, shown: string) =>
    `${shown} ${many === 1 ? "delivery" : "deliveries"} failed`,
  responded: (status: number) => `responded ${status}`,
  noAnswer: "no response",
  records: "Records",
  noRecords: "No record was created, changed or deleted.",
  resource: "Resource",
  created: "New",
  changed: "Changed",
  deleted: "Deleted",
  listOf: (column: string, label: string, many: string) => `${column}, ${label}: ${many}`,
  accounts: "Accounts",
  noEvents: "There are no account events.",
  allEvents: "All events",
  signIns: (many: number, shown: string, accounts: number) =>
    `${shown} ${many === 1 ? "sign-in" : "sign-ins"} by ${counted(accounts, "account", "accounts")}`,
  others: (many: number) => counted(many, "other event", "other events"),
  atLeast: (shown: string) => `${shown}+`,
});
