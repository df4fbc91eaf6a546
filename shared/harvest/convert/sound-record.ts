import type { MarcRecord, Subfield } from "../../marc/record.ts";
import { subfieldMark } from "../../sources/filters.ts";
import { soundText } from "./sound-text.ts";

/**
 * Makes a record what each of its formats can carry, after the filters have written into it: a subfield mark in a value
 * begins a subfield, as it does in ISO 2709; other control characters become blanks, which is told.
 */
export function soundRecord(record: MarcRecord, warn: (warning: string) => void): void {
  for (const field of record.control) field[1] = soundText(field[1], field[0], warn);
  for (const field of record.fields) {
    const [tag, , subfields] = field;
    if (subfields.every(([, value]) => isSound(value))) continue;
    field[2] = subfields.flatMap(([code, value]) =>
      divided(code, value).map(([each, text]): Subfield => [each, soundText(text, `${tag} $${each}`, warn)]),
    );
  }
}

/** Nearly all values are, and are told by this. */
function isSound(value: string): boolean {
  return !/[\p{Cc}\p{Cs}\uFFFD-\uFFFF]/u.test(value);
}

function divided(code: string, value: string): Subfield[] {
  const [own = "", ...more] = value.split(subfieldMark);
  return [[code, own], ...more.filter(Boolean).map((text): Subfield => [text.slice(0, 1), text.slice(1)])];
}
