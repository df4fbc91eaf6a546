import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../../local/cloud/seeded-random.ts";
import { type Crosswalk, crosswalk } from "../../../../shared/records/sources/crosswalk-fields.ts";
import { crosswalkLines } from "../../../../shared/records/sources/crosswalk-lines.ts";

const read = (...lines: string[]) => crosswalkLines.read(lines);

/** The lines of a crosswalk, as a form sends them. */
const written = (map: Crosswalk) =>
  crosswalkLines
    .write(map as never)
    .join("\n")
    .split("\n")
    .filter((line) => line !== "");

function randomCrosswalk(random: () => number): Crosswalk {
  const pick = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(random() * values.length)] as Value;
  const some = <Value>(make: () => Value): Value[] => Array.from({ length: Math.floor(random() * 4) }, make);
  const text = () =>
    pick(["local", "a b", '"', "=", "x = y", "\\", "split=|", "$a", " x", "ä", "url=u", "type x"]);
  const target = () => ({
    tag: pick(["650", "787", "020"]),
    indicators: pick(["  ", " 7", "1 ", "00"]),
    code: pick(["a", "2", "n"]),
    ...(random() < 0.4 && { urlCode: pick(["u", "0"]) }),
    ...(random() < 0.4 && { separator: pick(["|", "; ", " ", '"', "="]) }),
    constants: Object.fromEntries(some(() => [pick(["2", "9", "z"]), text()])),
  });
  return crosswalk.parse({
    fields: Object.fromEntries(some(() => [pick(["subject", "rights", "language", "type"]), some(target)])),
    languages: Object.fromEntries(some(() => [text(), pick(["ger", "eng"])])),
    types: Object.fromEntries(some(() => [text(), pick(["ab", "am"])])),
  });
}

describe("the lines of a crosswalk", () => {
  it("are read as they are written, for 2,000 random crosswalks", () => {
    const random = seededRandom(27);
    for (let nth = 0; nth < 2000; nth += 1) {
      const map = randomCrosswalk(random);
      expect(crosswalk.parse(crosswalkLines.read(written(map)))).toEqual(map);
    }
  });

  it("as people type them", () => {
    expect(
      read(
        "subject = 650 #7 $a $2=local split=|",
        "subject=653",
        "rights =",
        "language High German = ger",
        "language = 546",
        "type Aufsatz = ab",
      ),
    ).toEqual({
      fields: {
        subject: [
          { tag: "650", indicators: " 7", code: "a", separator: "|", constants: { "2": "local" } },
          { tag: "653", indicators: "  ", code: "a", constants: {} },
        ],
        rights: [],
        language: [{ tag: "546", indicators: "  ", code: "a", constants: {} }],
      },
      languages: { "High German": "ger" },
      types: { Aufsatz: "ab" },
    });
  });

  it.each([
    ["subject", "fields.subject.0.tag"],
    ["subject = 650 abc", "fields.subject.0.tag"],
    ["subject = 650 $a colour=red", "fields.subject.0.tag"],
    ["dc:subject = 650", "fields.dc:subject"],
    ["language Deutsch = de", "languages.Deutsch"],
    ["type Aufsatz =", "types.Aufsatz"],
  ])("%j → refused, with its place", (line, place) => {
    const issues = crosswalk.safeParse(read(line)).error?.issues ?? [];
    expect(issues.map(({ path }) => path.join("."))).toEqual([place]);
  });
});
