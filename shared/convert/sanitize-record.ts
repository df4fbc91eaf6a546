import type { MarcRecord, Subfield } from "../marc/record.ts";
import { subfieldMark } from "../sources/filters.ts";
import { sanitizeText } from "./sanitize-text.ts";

/**
 * Makes a record what each of its formats can carry, after the filters have written into it: a subfield mark in a value
 * begins a subfield, as it does in ISO 2709; other control characters become blanks, which is told.
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

/** Nearly all values are, and are told by this. */
function isClean(value: string): boolean {
  return !/[\p{Cc}\p{Cs}\uFFFD-\uFFFF]/u.test(value);
}

function splitSubfields(code: string, value: string): Subfield[] {
  const [own = "", ...more] = value.split(subfieldMark);
  return [[code, own], ...more.filter(Boolean).map((text): Subfield => [text.slice(0, 1), text.slice(1)])];
}
