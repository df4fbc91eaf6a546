import type { ReadOutcome } from "../../../shared/marc/read-outcome.ts";
import type { DataField, MarcRecord } from "../../../shared/marc/record.ts";

export function sample(title: string, ...more: DataField[]): MarcRecord {
  return {
    leader: "00000nab a2200000   4500",
    control: [
      ["001", "IxTheo#2026-01-01#AAAA"],
      ["007", "cr|||||"],
    ],
    fields: [["245", "00", [["a", title]]], ...more],
  };
}

/** Texts that go wrong first: two to four bytes a character, markup, non-sorting characters. */
export const awkwardTexts = [
  "Müller & Söhne <1> \"zwei\" 'drei' >",
  "漢字 und “Anführung” – Ümläute",
  "𝔄 ist außerhalb der BMP, 😀 auch",
  "\u0098Der\u009C Titel",
  "  leading and trailing  ",
  "a\ttab, a\nline feed and a\r\ncarriage return",
  "]]>",
  "",
];

export async function collectItems<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The records and, in place of those that cannot be used, the reasons. */
export async function recordsOf(outcomes: AsyncIterable<ReadOutcome>): Promise<(MarcRecord | string)[]> {
  const all = await collectItems(outcomes);
  return all.map((outcome) => (outcome.type === "record" ? outcome.record : outcome.reason));
}

export function inPieces(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}
