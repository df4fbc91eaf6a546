import type { MarcRecord } from "./record.ts";

/**
 * Formats a record as librarians read it, with one field per line: the leader, then lines such as `245 10 $a Title $b
 * rest`. Line breaks in values become spaces.
 * @see https://software.indexdata.com/yaz/doc/yaz-marcdump.html the format `line`
 */
export function writeMarcLines({ leader, control, fields }: MarcRecord): string {
  const lines = [
    leader,
    ...control.map(([tag, value]) => `${tag} ${value}`),
    ...fields.map(([tag, indicators, subfields]) =>
      [`${tag} ${indicators}`, ...subfields.map(([code, value]) => `$${code} ${value}`)].join(" "),
    ),
  ];
  return `${lines.map((line) => line.replaceAll(/[\r\n]+/g, " ")).join("\n")}\n`;
}
