import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measurePart, medianLength, RunQuality } from "../../../../shared/deliver/quality/figures.ts";
import {
  qualityFieldNames,
  qualityFields,
  valuesOf,
} from "../../../../shared/deliver/quality/quality-field.ts";
import { fieldTable } from "../../../../shared/harvest/witnesses/field-table.ts";
import type { DataField, MarcRecord } from "../../../../shared/marc/record.ts";

const record = (...fields: DataField[]): MarcRecord => ({
  leader: "00000nab a22004452  4500",
  control: [],
  fields,
});

describe("the fields", () => {
  it("are those whose witnesses are compared, and the URL; the type has no field of its own", () => {
    const witnessed = Object.entries(fieldTable).map(([name, { keptAs }]) => keptAs ?? name);
    expect([...witnessed, "identities"].filter((name) => name !== "type").toSorted()).toEqual(
      [...qualityFieldNames].toSorted(),
    );
  });

  it("of an article → each is found where the conversion writes it", () => {
    const article = record(
      ["245", "00", [["a", "On bees"]]],
      [
        "100",
        "1 ",
        [
          ["a", "Weaver, Ada"],
          ["0", "(DE-588)1"],
        ],
      ],
      ["264", " 1", [["c", "2014/2015"]]],
      [
        "773",
        "08",
        [
          ["i", "In: "],
          ["t", "Lantern"],
          ["x", "2049-3630"],
        ],
      ],
      [
        "936",
        "uw",
        [
          ["d", "7"],
          ["e", "2"],
          ["h", "1-9"],
        ],
      ],
      [
        "024",
        "7 ",
        [
          ["a", "10.5555/1"],
          ["2", "doi"],
        ],
      ],
      ["041", "  ", [["a", "eng"]]],
      ["520", "  ", [["a", "They dance."]]],
      ["650", " 4", [["a", "bees"]]],
      [
        "856",
        "40",
        [
          ["u", "https://j.example/1"],
          ["z", "LF"],
        ],
      ],
    );
    const empty = qualityFieldNames.filter((name) => valuesOf(article, name).length === 0);
    expect(empty).toEqual([]);
    expect(valuesOf(record(["856", "40", [["z", "ZZ"]]]), "licence")).toEqual([]);
    expect(valuesOf(record(["024", "7 ", [["a", "urn:nbn:1"]]]), "doi")).toEqual([]);
    expect(valuesOf(record(["520", "  ", [["a", " "]]]), "abstract")).toEqual([]);
  });

  it("have different places", () => {
    const places = Object.values(qualityFields).map(({ place }) => place);
    expect(new Set(places).size).toBe(places.length);
  });
});

interface Drawn {
  sourceId: string;
  abstract: string;
  year: string;
}

const drawn = fc.record<Drawn>({
  sourceId: fc.constantFrom("s", "t", "__proto__"),
  abstract: fc.constantFrom("", "a", "b", "a longer text", "c".repeat(300)),
  year: fc.constantFrom("", "2014", "2025", "2026", "2027", "2028"),
});

function measured({ sourceId, abstract, year }: Drawn) {
  const fields: DataField[] = [
    ...(abstract === "" ? [] : [["520", "  ", [["a", abstract]]] as DataField]),
    ...(year === "" ? [] : [["264", " 1", [["c", year]]] as DataField]),
  ];
  return { sourceId, record: record(...fields) };
}

/** The figures of the abstract and the year, counted one by one. */
function oracle(all: Drawn[], sourceId: string) {
  const own = all.filter((one) => one.sourceId === sourceId);
  const countOf = (key: "abstract" | "year") => {
    const texts = own.map((one) => one[key]).filter((text) => text !== "");
    const isRepeated = (text: string) => texts.filter((other) => other === text).length > 1;
    return { has: texts.length, repeated: texts.filter(isRepeated).length };
  };
  const outside = own.filter(({ year }) => ["2014", "2028"].includes(year)).length;
  return { records: own.length, abstract: countOf("abstract"), year: { ...countOf("year"), outside } };
}

describe("the figures of a run", () => {
  it("any records in any parts → counted as in one list", () => {
    fc.assert(
      fc.property(fc.array(fc.array(drawn, { maxLength: 8 }), { maxLength: 6 }), (parts) => {
        const run = new RunQuality();
        for (const part of parts) run.add(JSON.parse(JSON.stringify(measurePart(part.map(measured), 2026))));
        const figures = run.figures();
        for (const sourceId of new Set(parts.flat().map((one) => one.sourceId))) {
          const { records, fields } = figures[sourceId] ?? { records: 0, fields: {} };
          const { lengths: _a, ...abstract } = fields.abstract ?? { has: 0, repeated: 0, lengths: {} };
          const { lengths: _y, ...year } = fields.year ?? { has: 0, repeated: 0, outside: 0, lengths: {} };
          expect({ records, abstract, year }).toEqual(oracle(parts.flat(), sourceId));
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("the median length → that of the values, to a tenth", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9000 }), { minLength: 1, maxLength: 41 }), (lengths) => {
        const texts = lengths.map((length) =>
          measured({ sourceId: "s", abstract: "x".repeat(length), year: "" }),
        );
        const run = new RunQuality();
        run.add(measurePart(texts, 2026));
        const median = lengths.toSorted((a, b) => a - b)[Math.ceil(lengths.length / 2) - 1] ?? 0;
        const found = medianLength(run.figures().s?.fields.abstract ?? { lengths: {} }) ?? 0;
        expect(Math.abs(found - median)).toBeLessThanOrEqual(median * 0.1 + 0.5);
      }),
      { numRuns: 300 },
    );
  });
});
