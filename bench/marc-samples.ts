import { writeIso2709 } from "../shared/marc/iso2709-writer.ts";
import type { MarcRecord } from "../shared/marc/record.ts";

/**
 * Generates records like those of a harvest: nearly all values are short ASCII, and nearly all abstracts
 * contain typographic quotation marks or dashes.
 */
export function sampleRecords(count: number): MarcRecord[] {
  return Array.from({ length: count }, (_, index) => sampleRecord(index));
}

function sampleRecord(index: number): MarcRecord {
  const author = index % 3 === 0 ? "Müller, Jörg" : "Doe, Jane";
  return {
    leader: "00000nab a2200000   4500",
    control: [
      ["001", `IxTheo#2026-01-01#${index}`],
      ["003", "DE-Tue135"],
      ["007", "cr|||||"],
    ],
    fields: [
      [
        "024",
        "7 ",
        [
          ["a", `10.1234/abc.${index}`],
          ["2", "doi"],
        ],
      ],
      [
        "040",
        "  ",
        [
          ["a", "DE-627"],
          ["b", "ger"],
          ["c", "DE-627"],
          ["e", "rda"],
        ],
      ],
      ["041", "  ", [["a", "eng"]]],
      [
        "084",
        "  ",
        [
          ["a", "1"],
          ["2", "ssgn"],
        ],
      ],
      [
        "100",
        "1 ",
        [
          ["4", "aut"],
          ["a", author],
          ["e", "VerfasserIn"],
        ],
      ],
      ["245", "00", [["a", `Faith & reason, part ${index}`]]],
      ["264", " 1", [["c", "2021"]]],
      [
        "520",
        "  ",
        [["a", "The article asks how “reading” – a word of its time – was understood. ".repeat(8)]],
      ],
      ["650", " 4", [["a", "History"]]],
      ["650", " 4", [["a", "Religion"]]],
      [
        "773",
        "08",
        [
          ["i", "In: "],
          ["t", "Test journal"],
          ["x", "2049-3630"],
          ["w", "(DE-627)320636356"],
          ["g", "12 (2021), 3, Seite 1-20"],
        ],
      ],
      ["852", "  ", [["a", "DE-Tue135"]]],
      [
        "856",
        "40",
        [
          ["u", "https://example.org/article/1"],
          ["z", "ZZ"],
        ],
      ],
      ["912", "  ", [["a", "NOMM"]]],
      ["935", "  ", [["a", "mteo"]]],
      [
        "935",
        "  ",
        [
          ["a", "ixzs"],
          ["2", "LOK"],
        ],
      ],
      [
        "936",
        "uw",
        [
          ["d", "12"],
          ["e", "3"],
          ["h", "1-20"],
          ["j", "2021"],
        ],
      ],
      ["JOU", "  ", [["a", "Test journal"]]],
      ["URL", "  ", [["a", "https://example.org/article/1"]]],
      [
        "ZID",
        "  ",
        [
          ["a", "4711"],
          ["b", "ixtheo"],
        ],
      ],
    ],
  };
}

export function isoOf(records: MarcRecord[]): Uint8Array {
  return Buffer.concat(
    records.map((record) => {
      const outcome = writeIso2709(record);
      if (outcome.type === "too-long") throw new Error(outcome.reason);
      return outcome.bytes;
    }),
  );
}
