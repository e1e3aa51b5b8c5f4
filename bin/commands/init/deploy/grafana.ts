import { type Panel, rows } from "./panels.js";

const source = { type: "prometheus", uid: "$source" };

/** Returns a Grafana dashboard as JSON to import. */
export function grafanaDashboard(title: string): string {
  const dashboard = {
    title,
    tags: ["service"],
    timezone: "browser",
    schemaVersion: 39,
    editable: true,
    refresh: "30s",
    time: { from: "now-3h", to: "now" },
    templating: {
      list: [
        { name: "source", label: "Prometheus", type: "datasource", query: "prometheus" },
        {
          name: "instance",
          label: "Server",
          type: "query",
          datasource: source,
          query: 'label_values(service_build_info{job="service"}, instance)',
          refresh: 2,
          includeAll: true,
          multi: true,
          allValue: ".*",
          current: { text: "All", value: "$__all" },
        },
      ],
    },
    panels: panels(),
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}

/** The panels, two per line, below the title of their row. */
function panels(): readonly object[] {
  const height = 8;
  const width = 12;
  const all: object[] = [];
  let y = 0;
  for (const [title, inRow] of rows) {
    const id = all.length + 1;
    all.push({ id, type: "row", title, collapsed: false, gridPos: { x: 0, y, w: 24, h: 1 } });
    y += 1;
    inRow.forEach((panel, at) => {
      const x = at % 2 === 0 ? 0 : width;
      const place = { x, y: y + (at >> 1) * height, w: width, h: height };
      all.push({ id: all.length + 1, gridPos: place, ...panelOf(panel) });
    });
    y += Math.ceil(inRow.length / 2) * height;
  }
  return all;
}

function panelOf({ title, description, unit, queries, kind = "timeseries" }: Panel): object {
  return {
    type: kind,
    title,
    description,
    datasource: source,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: queries.map(([expr, legendFormat], at) => ({
      refId: String.fromCharCode(65 + at),
      datasource: source,
      expr,
      legendFormat,
    })),
  };
}
