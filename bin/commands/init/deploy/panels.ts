/** A graph or a table of the dashboard. */
export interface Panel {
  readonly title: string;
  /** How to interpret the panel. */
  readonly description: string;
  readonly unit: "reqps" | "percentunit" | "s" | "short" | "bytes" | "bool_yes_no";
  /** Queries and the legends of their series. */
  readonly queries: readonly (readonly [expression: string, legend: string])[];
  readonly kind?: "timeseries" | "state-timeline" | "stat";
}

const own = 'job="service", instance=~"$instance"';
const counts = "http_server_request_duration_seconds_count";
const buckets = "http_server_request_duration_seconds_bucket";
const span = "[$__rate_interval]";
const route = "http_request_method, http_route";
const routeName = "{{http_request_method}} {{http_route}}";

const rate = (labels = "") => `sum(rate(${counts}{${own}${labels}}${span}))`;
const failed = ', http_response_status_code=~"5.."';
const quantile = (share: number) =>
  `histogram_quantile(${share}, sum by (le) (rate(${buckets}{${own}}${span})))`;

/** The rows, in the order in which an operator on call reads them. */
export const rows: readonly (readonly [title: string, panels: readonly Panel[]])[] = [
  [
    "Which requests are failing, and since when?",
    [
      {
        title: "Requests that fail",
        description: "The share of responses with status 500 or higher.",
        unit: "percentunit",
        queries: [[`${rate(failed)} / ${rate()}`, "failing"]],
      },
      {
        title: "Routes that fail",
        description: "Look for such a route and status in the log, and for its requestId.",
        unit: "reqps",
        queries: [
          [
            `topk(10, sum by (${route}, http_response_status_code) (rate(${counts}{${own}${failed}}${span})) > 0)`,
            `${routeName} {{http_response_status_code}}`,
          ],
        ],
      },
      {
        title: "Checks",
        description:
          "As reported by GET /api/_service/ready; the reason for a failure is logged once.",
        unit: "bool_yes_no",
        kind: "state-timeline",
        queries: [[`min by (check) (service_check{${own}})`, "{{check}}"]],
      },
      {
        title: "Requests by status",
        description: "Clients cause 4xx; 499 means that they disconnected before the response.",
        unit: "reqps",
        queries: [
          [
            `sum by (http_response_status_code) (rate(${counts}{${own}}${span}))`,
            "{{http_response_status_code}}",
          ],
        ],
      },
    ],
  ],
  [
    "Is it slow, and where?",
    [
      {
        title: "Duration",
        description: "The 50th, 95th and 99th percentile of requests.",
        unit: "s",
        queries: [
          [quantile(0.5), "50 %"],
          [quantile(0.95), "95 %"],
          [quantile(0.99), "99 %"],
        ],
      },
      {
        title: "Slowest routes",
        description: "The 95th percentile of their requests.",
        unit: "s",
        queries: [
          [
            `topk(10, histogram_quantile(0.95, sum by (${route}, le) (rate(${buckets}{${own}}${span}))))`,
            routeName,
          ],
        ],
      },
      {
        title: "Busiest routes",
        description:
          "The share of server time that each route uses: requests per second times duration.",
        unit: "short",
        queries: [
          [
            `topk(10, sum by (${route}) (rate(http_server_request_duration_seconds_sum{${own}}${span})))`,
            routeName,
          ],
        ],
      },
      {
        title: "Requests in progress",
        description: "They pile up when something below does not keep up.",
        unit: "short",
        queries: [[`http_server_active_requests{${own}}`, "{{instance}}"]],
      },
    ],
  ],
  [
    "What does not keep up?",
    [
      {
        title: "Connections to the database",
        description: "In use, and the maximum.",
        unit: "short",
        queries: [
          [
            `sum by (db_client_connection_state) (db_client_connection_count{${own}})`,
            "{{db_client_connection_state}}",
          ],
          [`sum(db_client_connection_max{${own}})`, "at most"],
        ],
      },
      {
        title: "Waiting for a connection",
        description: "Above 0 for long: slow or locked statements, or too small a pool.",
        unit: "short",
        queries: [[`db_client_connection_pending_requests{${own}}`, "{{instance}}"]],
      },
      {
        title: "Queues",
        description: "Passwords and images processed by the servers; emails in the database.",
        unit: "short",
        queries: [[`max by (queue) (service_queue_length{${own}})`, "{{queue}}"]],
      },
      {
        title: "Memory",
        description: "400 MB at most for each process of server.workers.",
        unit: "bytes",
        queries: [[`process_resident_memory_bytes{${own}}`, "{{instance}}"]],
      },
      {
        title: "Event loop",
        description:
          "How long it is blocked, by app code that computes or by a lack of processors.",
        unit: "s",
        queries: [[`nodejs_eventloop_lag_p99_seconds{${own}}`, "{{instance}}"]],
      },
      {
        title: "Processors",
        description: "Number of processors that the server keeps busy.",
        unit: "short",
        queries: [[`rate(process_cpu_seconds_total{${own}}${span})`, "{{instance}}"]],
      },
    ],
  ],
  [
    "Who is refused, and what runs?",
    [
      {
        title: "Sign-ins",
        description: "failure: a wrong password or code; limited: too many attempts.",
        unit: "reqps",
        queries: [
          [
            `sum by (method, result) (rate(service_sign_ins_total{${own}}${span}))`,
            "{{method}} {{result}}",
          ],
        ],
      },
      {
        title: "Servers",
        description: "By version.",
        unit: "short",
        kind: "stat",
        queries: [[`count by (version) (service_build_info{${own}})`, "{{version}}"]],
      },
    ],
  ],
];
