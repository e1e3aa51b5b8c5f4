import pg from "pg";

/** PostgreSQL's OIDs of the types `date` and `date[]`. */
const date = 1082;
const dates = 1182;
const texts = 1009;

/**
 * Parses values of rows like pg, except that dates stay text: `YYYY-MM-DD`. pg returns midnight in the machine's time
 * zone, which may be another day in UTC.
 */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: (type: number, format?: "text" | "binary") => {
    if (type === date) return (text: string) => text;
    return pg.types.getTypeParser(type === dates ? texts : type, format);
  },
};
