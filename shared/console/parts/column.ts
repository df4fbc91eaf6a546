import type { Html } from "../page.ts";

/** A column of a table and of its CSV. */
export interface Column<Row> {
  head: string;
  /** The content of the cell. If rows have pages, the first column of the table links to the row's page. */
  cell: (row: Row) => Html | string | number | undefined;
  /** The content in CSV. When absent, the content of the cell is used, which must then be text or a number. */
  csv?: (row: Row) => string | number | undefined;
  /** Numbers are aligned to the right. */
  isNumber?: boolean;
}
