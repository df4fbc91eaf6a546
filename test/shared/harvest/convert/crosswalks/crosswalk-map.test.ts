import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseInput } from "../../../../../shared/core/schema-problems.ts";
import { documentMap, notesMap } from "../../../../../shared/harvest/convert/crosswalks/dublin-core-map.ts";
import { type Crosswalk, crosswalk } from "../../../../../shared/records/sources/crosswalk-fields.ts";
import { corpusFolder } from "../../../../corpus.ts";
import { controlValue, convert, fieldsWith, mods, qualifiedDc, recordOf } from "./crosswalk-cases.ts";

const mapOf = (map: object): { source: { crosswalk: Crosswalk } } => ({
  source: { crosswalk: parseInput(crosswalk, map) },
});

describe("the built-in map", () => {
  it.each([
    ["English", "eng"],
    ["Deutsch", "ger"],
    ["en_US", "eng"],
    ["fr-CA", "fre"],
    ["Français", "fre"],
    ["español", "spa"],
    ["niederländisch", "dut"],
    ["中文", "chi"],
  ])("the language %s → 041 and 008", (text, code) => {
    const record = recordOf(qualifiedDc(`<dc:language>${text}</dc:language>`));
    expect(fieldsWith(record, "041", "546")).toEqual([`041 __ $a${code}`]);
    expect(controlValue(record, "008")?.slice(35, 38)).toBe(code);
  });

  it("the name of a language in MODS → 041", () => {
    const record = recordOf(mods("<language><languageTerm type='text'>Deutsch</languageTerm></language>"));
    expect(fieldsWith(record, "041")).toEqual(["041 __ $ager"]);
  });

  it.each([
    ["article", "Bees; Vol. 3 (2013)", "ab", ["773 08 $iIn:$tBees$gVol. 3 (2013)"]],
    ["Journal Article", "Bees; Vol. 3 (2013)", "ab", ["773 08 $iIn:$tBees$gVol. 3 (2013)"]],
    ["info:eu-repo/semantics/bookPart", "Bees; Vol. 3 (2013)", "aa", ["773 08 $iIn:$tBees$gVol. 3 (2013)"]],
  ])("the type %s → leader and 773", (type, source, leader, host) => {
    const record = recordOf(qualifiedDc(`<dc:type>${type}</dc:type><dc:source>${source}</dc:source>`));
    expect(record.leader.slice(6, 8)).toBe(leader);
    expect(fieldsWith(record, "773")).toEqual(host);
  });

  it.each([
    ["3-16-148410-X", "020 __ $a316148410X"],
    ["316148410X", "020 __ $a316148410X"],
    ["978-3-16-148410-0", "020 __ $a9783161484100"],
    ["ISBN-13: 978-3-16-148410-0", "020 __ $a9783161484100"],
    ["ISBN-10 3161484100", "020 __ $z3161484100"],
    ["978-3-16-148410-1", "020 __ $z9783161484101"],
    ["ISBN 3161484101", "020 __ $z3161484101"],
    ["ISBN 0-8044-2957-X", "020 __ $a080442957X"],
    ["urn:isbn:9783161484100", "020 __ $a9783161484100"],
    // Other numbers: a wrong check digit, and ten digits that nothing says are an ISBN.
    ["3-16-148410-1", "024 8_ $a3-16-148410-1"],
    ["0306406152", "024 8_ $a0306406152"],
  ])("the identifier %s → %s", (text, expected) => {
    const record = recordOf(qualifiedDc(`<dc:identifier>${text}</dc:identifier>`));
    expect(fieldsWith(record, "020", "024")).toEqual([expected]);
  });

  it("markup in a description or an abstract → taken out of 520", () => {
    const html = "&lt;p&gt;On &lt;em&gt;bees&lt;/em&gt; &amp;amp; wasps, 2 &amp;lt; 3&lt;/p&gt;";
    const record = recordOf(
      qualifiedDc(`<dc:description>${html}</dc:description><dcterms:abstract>${html}</dcterms:abstract>`),
    );
    const text = "On bees & wasps, 2 < 3";
    expect(fieldsWith(record, "520")).toEqual([`520 __ $a${text}`, `520 3_ $a${text}`]);
    expect(fieldsWith(recordOf(mods(`<abstract>${html}</abstract>`)), "520")).toEqual([`520 __ $a${text}`]);
  });

  it.each([
    ["Church of England", "110 2_ $aChurch of England$4aut"],
    ["Rat der EKD", "110 2_ $aRat der EKD$4aut"],
    ["Deutsche Bischofskonferenz", "110 2_ $aDeutsche Bischofskonferenz$4aut"],
    ["Evangelische Kirche in Deutschland", "110 2_ $aEvangelische Kirche in Deutschland$4aut"],
    ["Conférence des évêques de France", "110 2_ $aConférence des évêques de France$4aut"],
    ["World Bank", "110 2_ $aWorld Bank$4aut"],
    ["Google Research", "110 2_ $aGoogle Research$4aut"],
    ["Dartmouth College", "110 2_ $aDartmouth College$4aut"],
    ["Charlotte Church", "100 1_ $aChurch, Charlotte$4aut"],
    ["Church, Ada", "100 1_ $aChurch, Ada$4aut"],
    ["Max Kirche", "100 1_ $aKirche, Max$4aut"],
    ["Nancy Bank", "100 1_ $aBank, Nancy$4aut"],
    ["College, Ann", "100 1_ $aCollege, Ann$4aut"],
  ])("the creator %s → %s", (name, expected) => {
    const record = recordOf(qualifiedDc(`<dc:creator>${name}</dc:creator>`));
    expect(fieldsWith(record, "100", "110", "720")).toEqual([expected]);
  });

  it.each([
    [["a", "b"], ["application/pdf", "text/html"], ["$ua$qapplication/pdf", "$ub$qtext/html"], []],
    [["a", "b"], ["application/pdf"], ["$ua$qapplication/pdf", "$ub"], []],
    [["a"], ["application/pdf", "text/html"], ["$ua$qapplication/pdf"], ["text/html"]],
    [[], ["application/pdf"], [], ["application/pdf"]],
  ])("the addresses %j with the media types %j → one $q each", (pages, types, links, formats) => {
    const address = (name: string) => `https://a.example/${name}`;
    const elements = [
      ...pages.map((page) => `<dc:identifier>${address(page)}</dc:identifier>`),
      ...types.map((type) => `<dc:format>${type}</dc:format>`),
    ];
    const record = recordOf(qualifiedDc(elements.join("")));
    const expected = links.map((link) => `856 40 ${link.replace("$u", `$u${address("")}`)}`);
    expect(fieldsWith(record, "856")).toEqual(expected);
    expect(fieldsWith(record, "347")).toEqual(formats.map((type) => `347 __ $b${type}`));
  });
});

describe("the map of a source", () => {
  it("an element → its own fields, and not those of the built-in map", () => {
    const map = mapOf({
      fields: {
        subject: [{ tag: "650", indicators: " 7", separator: "|", constants: { "2": "local" } }],
        description: [{ tag: "500" }],
        creator: [{ tag: "720" }],
        rights: [],
        publisher: [{ tag: "710", indicators: "2 ", constants: { "4": "pbl" } }],
      },
    });
    const record = recordOf(
      qualifiedDc(
        "<dc:subject>bees | wasps|</dc:subject><dc:description>d</dc:description><dc:creator>Miller, Ada</dc:creator>" +
          "<dc:rights>r</dc:rights><dc:publisher>P</dc:publisher>",
      ),
      map,
    );
    expect(fieldsWith(record, "100", "245", "264", "500", "520", "540", "650", "653", "710", "720")).toEqual([
      "245 00 $aT",
      "500 __ $ad",
      "650 _7 $abees$2local",
      "650 _7 $awasps$2local",
      "710 2_ $aP$4pbl",
      "720 __ $aMiller, Ada",
    ]);
  });

  it("languages and types that only this repository names so → codes, whatever their case", () => {
    const map = mapOf({ languages: { Hochdeutsch: "ger" }, types: { Aufsatz: "ab", Karte: "em" } });
    const record = (elements: string) => recordOf(qualifiedDc(elements), map);
    const german = record("<dc:language>hochdeutsch</dc:language>");
    expect(fieldsWith(german, "041", "546")).toEqual(["041 __ $ager"]);
    const leader = (elements: string) => record(elements).leader.slice(6, 8);
    expect(leader("<dc:type>AUFSATZ</dc:type><dc:source>Bees; Vol. 3</dc:source>")).toBe("ab");
    expect(leader("<dc:type>Karte</dc:type>")).toBe("em");
  });

  it.each([
    [{ fields: { subject: [{ tag: "008" }] } }, "fields.subject.0.tag", "008"],
    [{ fields: { subject: [{ tag: "650", code: "$a" }] } }, "fields.subject.0.code", "$a"],
    [{ fields: { subject: [{ tag: "650", indicators: "7" }] } }, "fields.subject.0.indicators", "7"],
    [{ fields: { title: [{ tag: "240" }] } }, "fields.title", "title"],
    [{ fields: { subjekt: [{ tag: "650" }] } }, "fields.subjekt", "subjekt"],
    [
      { fields: { "dc:subject": [{ tag: "650" }] } },
      "fields.dc:subject",
      "source, spatial, subject, tableOfContents",
    ],
    [{ languages: { Hochdeutsch: "deutsch" } }, "languages.Hochdeutsch", "deutsch"],
    [{ types: { Aufsatz: "article" } }, "types.Aufsatz", "article"],
    [{ field: {} }, "field", ""],
  ])("%j → refused at %s, with its value", (map, field, value) => {
    const refused = () => parseInput(crosswalk, map);
    expect(refused).toThrow(field);
    expect(refused).toThrow(value);
  });

  const corpus = join(corpusFolder, "oai");
  it.skipIf(!existsSync(corpus))(
    "the built-in map, sent as data → the same records of every repository",
    () => {
      const builtIn = JSON.parse(JSON.stringify(documentMap));
      const documents = globSync("*.xml", { cwd: corpus }).flatMap((file) =>
        [
          ...readFileSync(join(corpus, file), "utf8").matchAll(
            /<(oai_dc:dc|oai_qdc:qualifieddc)[\s>][\s\S]*?<\/\1>/g,
          ),
        ].map(([raw]) => raw.replace(/(?=[\s>])/, ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"')),
      );
      expect(documents.length).toBeGreaterThan(100);
      for (const raw of documents) expect(convert(raw, mapOf({ fields: builtIn }))).toEqual(convert(raw));
      // Each note by itself: where a document has several, their order is that of the table.
      for (const [element, targets] of Object.entries(notesMap)) {
        const one = qualifiedDc(`<dcterms:${element}>x</dcterms:${element}>`);
        expect(convert(one, mapOf({ fields: { [element]: targets } }))).toEqual(convert(one));
      }
    },
  );
});
