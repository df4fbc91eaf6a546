import { expect, test } from "vitest";
import { parseRis } from "../../../shared/formats/ris.ts";
import { person, statementsOf } from "./record-file/statements-of.ts";

test("a journal article → all its tags", () => {
  const record = `TY  - JOUR
TI  - Bells &amp; <i>Fog</i>
AU  - Amsinck, Liesel
AU  - van der Heide, Odo
PY  - 2022
DA  - 2022/12/01/
T2  - Blätter für Klangkunde
JO  - BfK
VL  - 14
IS  - 2
SP  - 33
EP  - 58
SN  - 2999-1234
DO  - https://doi.org/10.55555/bfk.2022.417
UR  - https://blaetter.example/417
AB  - The bells are heard,
and the fog is seen.
KW  - bells
fog
KW  - sound
LA  - de
PB  - Klangverlag
ER  - 
`;
  expect(statementsOf(parseRis(record))).toEqual([
    {
      itemType: "journalArticle",
      title: "Bells & Fog",
      creators: [person("Liesel", "Amsinck"), person("Odo", "van der Heide")],
      date: "2022-12-01",
      publicationTitle: "Blätter für Klangkunde",
      journalAbbreviation: "BfK",
      volume: "14",
      issue: "2",
      pages: "33-58",
      ISSN: "2999-1234",
      DOI: "10.55555/bfk.2022.417",
      url: "https://blaetter.example/417",
      abstracts: [{ text: "The bells are heard, and the fog is seen." }],
      keywords: ["bells", "fog", "sound"],
      language: "de",
      publisher: "Klangverlag",
    },
  ]);
});

test.each<[string, string, object[] | string]>([
  ["CR LF, one blank, no ER → read", "TY - BOOK\r\nT1 - Wells\r\n", [{ itemType: "book", title: "Wells" }]],
  ["CR alone → read", "TY  - JOUR\rTI  - A\rER  -\r", [{ itemType: "journalArticle", title: "A" }]],
  [
    "two records → two",
    "TY  - JOUR\nTI  - A\nER  - \n\nTY  - THES\nTI  - B\nPB  - Uni\nER  - ",
    [
      { itemType: "journalArticle", title: "A" },
      { itemType: "thesis", title: "B", university: "Uni" },
    ],
  ],
  [
    "a record cut off by the next → ends there",
    "TY  - JOUR\nTI  - A\nTY  - BOOK\nTI  - B",
    [
      { itemType: "journalArticle", title: "A" },
      { itemType: "book", title: "B" },
    ],
  ],
  ["words before the first TY → passed over", "Provider: X\nTI  - no\nTY  - GEN\nTI  - A", [{ title: "A" }]],
  ["an unknown type → none", "TY  - PAMPHLET\nTI  - A", [{ title: "A" }]],
  [
    "editors, a range in SP, an ISBN, an abbreviated journal alone",
    "TY  - CHAP\nTI  - A\nED  - Roe, R.\nSP  - 1–9\nSN  - 978-3-16-148410-0\nJA  - J.",
    [
      {
        itemType: "bookSection",
        title: "A",
        creators: [person("R.", "Roe", "editor")],
        pages: "1-9",
        ISBN: "9783161484100",
        publicationTitle: "J.",
      },
    ],
  ],
  ["a page of HTML → unreadable", "<!doctype html><title>TY  - JOUR</title>", "it has no line with TY"],
  ["nothing → unreadable", "", "it has no line with TY"],
])("%s", (_title, text, expected) => {
  expect(statementsOf(parseRis(text))).toEqual(expected);
});

test.each<[string, string, string | undefined]>([
  ["PY - year alone", "PY  - 2011///", "2011"],
  ["a month", "Y1  - 2011/5//", "2011-05"],
  ["a season", "PY  - 2011///Spring", "2011"],
  ["a day with hyphens before a year", "PY  - 2011\nDA  - 2011-05-03", "2011-05-03"],
  ["words before a year", "PY  - 2011\nDA  - May 2011", "May 2011"],
  ["a day before words", "DA  - May 2011\nY1  - 2011/05/03/", "2011-05-03"],
  ["no date", "TI  - A", undefined],
])("date: %s", (_title, lines, date) => {
  const reading = parseRis(`TY  - JOUR\n${lines}\nER  - `);
  expect(reading.type === "records" && reading.records[0]?.date).toBe(date);
});
