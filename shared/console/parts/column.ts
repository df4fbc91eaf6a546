import type { Html } from "../page.ts";

/** A column of a table, and of its CSV. */
export interface Column<Row> {
  head: string;
  /** What the cell shows. The first column of a table links to the row's page, when rows have one. */
  cell: (row: Row) => Html | string | number | undefined;
  /** What CSV says; what the cell shows when absent, which must then be text or a number. */
  csv?: (row: Row) => string | number | undefined;
  /** Numbers stand right. */
  isNumber?: boolean;
}
