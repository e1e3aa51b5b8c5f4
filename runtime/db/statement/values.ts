import pg from "pg";

/** PostgreSQL's numbers of the types `date` and `date[]`. */
const date = 1082;
const dates = 1182;
const texts = 1009;

/**
 * How the values of rows are read: as pg does it, but a date stays the text `YYYY-MM-DD`. As pg reads it, it is
 * midnight in the zone of the machine, and so another day when it is written in UTC.
 */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: (type: number, format?: "text" | "binary") => {
    if (type === date) return (text: string) => text;
    return pg.types.getTypeParser(type === dates ? texts : type, format);
  },
};
