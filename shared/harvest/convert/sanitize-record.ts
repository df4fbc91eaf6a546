import type { MarcRecord, Subfield } from "../../marc/record.ts";
import { subfieldMark } from "../../records/sources/filters.ts";
import { sanitizeText } from "./sanitize-text.ts";

/**
 * Makes a record valid in all output formats after the filters have changed it. A subfield delimiter in a value starts
 * a subfield, as in ISO 2709. Other control characters are replaced with blanks, with a warning.
 */
export function sanitizeRecord(record: MarcRecord, warn: (warning: string) => void): void {
  for (const field of record.control) field[1] = sanitizeText(field[1], field[0], warn);
  for (const field of record.fields) {
    const [tag, , subfields] = field;
    if (subfields.every(([, value]) => isClean(value))) continue;
    field[2] = subfields.flatMap(([code, value]) =>
      splitSubfields(code, value).map(
        ([each, text]): Subfield => [each, sanitizeText(text, `${tag} $${each}`, warn)],
      ),
    );
  }
}

/** A fast check that succeeds for nearly all values. */
function isClean(value: string): boolean {
  return !/[\p{Cc}\p{Cs}\uFFFD-\uFFFF]/u.test(value);
}

function splitSubfields(code: string, value: string): Subfield[] {
  const [own = "", ...more] = value.split(subfieldMark);
  return [[code, own], ...more.filter(Boolean).map((text): Subfield => [text.slice(0, 1), text.slice(1)])];
}
