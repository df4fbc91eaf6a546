import type { Column } from "./column.ts";

/**
 * A list as CSV, with a line of heads.
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
 * Text that a spreadsheet would take for a formula gets an apostrophe, as titles come from other people's pages.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
function quote(value: string): string {
  const text = /^[=@\t\r]|^[+-](?![\d.]+$)/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
