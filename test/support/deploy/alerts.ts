/** When an alert of `deploy/alerts.yaml` fires, and when it is over. */
export interface AlertCase {
  /** In the notation of promtool, a value for each minute. */
  readonly series: Readonly<Record<string, string>>;
  readonly fires: string;
  readonly over: string;
  /** Of the alert, besides its severity. */
  readonly labels: Readonly<Record<string, string>>;
  /** As its sentence has it. */
  readonly value: string;
}

const server = { job: "service", instance: "shop:9090" };
const route = { http_request_method: "GET", http_route: "/api/products" };

function sample(name: string, labels: Readonly<Record<string, string>> = {}): string {
  const all = Object.entries({ ...server, ...labels });
  return `${name}{${all.map(([label, value]) => `${label}="${value}"`).join(",")}}`;
}

const count = "http_server_request_duration_seconds_count";
const bucket = "http_server_request_duration_seconds_bucket";

/** For twenty minutes one request in six fails. */
const failing = {
  [sample(count, { ...route, http_response_status_code: "200" })]: "0+100x60",
  [sample(count, { ...route, http_response_status_code: "503" })]: "0+20x20 400x40",
};

/** For half an hour all requests take between 1 and 2.5 s. */
const slow = {
  [sample(bucket, { ...route, http_response_status_code: "200", le: "1" })]: "0x30 0+60x30",
  [sample(bucket, { ...route, http_response_status_code: "200", le: "2.5" })]: "0+60x60",
  [sample(bucket, { ...route, http_response_status_code: "200", le: "+Inf" })]: "0+60x60",
};

/** A gauge that is high from the fifth to the thirtieth minute. */
function high(name: string, labels: Readonly<Record<string, string>>, value: string) {
  return { [sample(name, labels)]: `0x5 ${value}x25 0x30` };
}

const during = { fires: "25m", over: "50m" };

/** In the order of the file. All of their series are there together, since promtool takes long to begin. */
export const alertCases: Readonly<Record<string, AlertCase>> = {
  NoServer: {
    ...during,
    series: { [sample("service_build_info", { version: "1" })]: "1x5 _x25 1x30" },
    labels: { job: "service" },
    value: "",
  },
  RequestsFail: { ...during, fires: "15m", series: failing, labels: {}, value: "16.67%" },
  RouteFails: { ...during, fires: "15m", series: failing, labels: route, value: "16.67%" },
  CheckFails: {
    ...during,
    series: { [sample("service_check", { check: "database" })]: "1x5 0x25 1x30" },
    labels: { check: "database" },
    value: "",
  },
  StorageOrMailFails: {
    ...during,
    series: { [sample("service_check", { check: "mailer" })]: "1x5 0x25 1x30" },
    labels: { check: "mailer" },
    value: "",
  },
  RequestsSlow: { ...during, series: slow, labels: {}, value: "2.425s" },
  RouteSlow: { ...during, series: { ...slow, ...failing }, labels: route, value: "2.425s" },
  ConnectionsShort: {
    ...during,
    series: high("db_client_connection_pending_requests", {}, "4"),
    labels: server,
    value: "4",
  },
  QueueLong: {
    ...during,
    series: high("service_queue_length", { queue: "passwords" }, "4"),
    labels: { ...server, queue: "passwords" },
    value: "4",
  },
  MailsWait: {
    ...during,
    series: high("service_queue_length", { queue: "mails" }, "150"),
    labels: {},
    value: "150",
  },
  JobsFail: {
    ...during,
    fires: "20m",
    series: {
      [sample("service_jobs_total", { name: "report", result: "failed" })]: "0+9x25 225x35",
      [sample("service_jobs_total", { name: "report", result: "done" })]: "0+3x60",
    },
    labels: { name: "report" },
    value: "75%",
  },
  JobsLost: {
    ...during,
    fires: "10m",
    series: {
      [sample("service_jobs_total", { name: "import", result: "done" })]: "0+9x60",
      [sample("service_jobs_total", { name: "import", result: "lost" })]: "0x5 1x55",
    },
    labels: { name: "import" },
    value: "",
  },
  JobsWait: {
    ...during,
    series: high("service_queue_length", { queue: "jobs" }, "1500"),
    labels: {},
    value: "1500",
  },
  WebhookDisabled: {
    ...during,
    series: high("service_webhooks_disabled", {}, "2"),
    labels: {},
    value: "2",
  },
  MemoryHigh: {
    ...during,
    series: high("process_resident_memory_bytes", {}, "900000000"),
    labels: server,
    value: "858.3Mi",
  },
  EventLoopBlocked: {
    ...during,
    series: high("nodejs_eventloop_lag_p99_seconds", {}, "0.5"),
    labels: server,
    value: "500ms",
  },
  SignInsRefused: {
    ...during,
    series: {
      [sample("service_sign_ins_total", { method: "password", result: "success" })]: "0+6x60",
      [sample("service_sign_ins_total", { method: "password", result: "failure" })]:
        "0x5 0+60x25 1500x30",
    },
    labels: {},
    value: "1",
  },
};
