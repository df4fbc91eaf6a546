import type { Column } from "./column.ts";

/**
 * Renders a list as CSV, with a header line.
 * @see https://www.rfc-editor.org/rfc/rfc4180.html
 */
export function toCsv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const lines = [
    columns.map(({ head }) => head),
    ...rows.map((row) => columns.map(({ csv, cell }) => String((csv ?? cell)(row) ?? ""))),
  ];
  return lines.map((line) => `${line.map(quote).join(",")}\r\n`).join("");
}

/**
 * Quotes a value. Text that a spreadsheet would interpret as a formula gets an apostrophe, because titles come from
 * external pages.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
function quote(value: string): string {
  const text = /^[=@\t\r]|^[+-](?![\d.]+$)/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
