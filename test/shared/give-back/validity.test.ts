import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { validateXML } from "xmllint-wasm";
import { marcToDc } from "../../../shared/give-back/crosswalks/marc-to-dc.ts";
import { marcToMods } from "../../../shared/give-back/crosswalks/marc-to-mods.ts";
import type { MarcRecord, Subfield } from "../../../shared/marc/record.ts";
import { GivenWorld, harvest, marcRecord } from "./world.ts";

const file = (path: string) => ({
  fileName: path.replace(/.*\//, ""),
  contents: readFileSync(join(import.meta.dirname, path), "utf8"),
});
const schema = file("schemas/oai-pmh.xsd");
const preload = [
  "schemas/oai_dc.xsd",
  "schemas/dc.xsd",
  "schemas/mods.xsd",
  "../deliver/upload/marc21slim.xsd",
].map(file);

/** What libxml2 finds in responses when it holds them against the schemas. */
async function problemsIn(responses: string[]): Promise<string[]> {
  const xml = responses.map((contents, index) => ({ fileName: `response-${index}.xml`, contents }));
  const { errors } = await validateXML({ xml, schema: [schema], preload });
  return errors.map(({ rawMessage }) => rawMessage);
}

const values = [
  "Word",
  "a < b & c > d",
  'said "so"',
  " spaced , ",
  "\u0001 \ud800",
  "Ünïcode 𝄞",
  "]]>",
  "",
  ";",
];

/** A record with every field of the crosswalks, each with all subfields that they read. */
function fullRecord(random: () => number): MarcRecord {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const tags = Array.from({ length: 900 }, (_, index) => String(index + 10).padStart(3, "0"));
  const some = tags.filter(() => random() < 0.06);
  const { control } = marcRecord("r", "T");
  return {
    leader: `00000n${pick([..."acdefgijkmoprt"])}${pick([..."abcdims"])} a2200000 i 4500`,
    control: [...control, ["005", "20261120190000.0"], ["003", pick(["DE-627", ""])]],
    fields: some.map((tag) => [
      tag,
      `${pick([" ", "1"])}${pick([" ", "0", "4", "9"])}`,
      Array.from(
        { length: 1 + Math.floor(random() * 5) },
        (): Subfield => [pick([..."abcdefgnpqrtuvwxyz24"]), pick(values)],
      ),
    ]),
  };
}

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

it("200 responses of records with any fields → valid by the schemas of OAI-PMH, oai_dc, MARCXML and MODS", async () => {
  const random = randomFrom(7);
  const world = new GivenWorld();
  for (let number = 0; number < 120; number += 1) {
    world.putRecord(`r${number}`, `T${number}`, { sourceId: `s ä:${number}`, groupId: "A/B" });
    world.marcs.set(`records/r${number}/T${number}`, fullRecord(random));
  }
  world.putDocument("r1", undefined);
  world.putDocument(
    "d1",
    '<record xmlns="http://www.loc.gov/MARC21/slim"><leader>00000naa a2200000 i 4500</leader></record>',
  );
  await world.logAll();
  const single = Array.from({ length: 44 }, (_, number) =>
    ["oai_dc", "marcxml", "mods", "raw"].map(
      (prefix) => `verb=GetRecord&metadataPrefix=${prefix}&identifier=oai:library.example:r${number}`,
    ),
  ).flat();
  const responses = await Promise.all(
    [
      ...single,
      "verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:library.example:d1",
      "verb=Identify",
      "verb=ListMetadataFormats",
      "verb=ListMetadataFormats&identifier=oai:library.example:r1",
      "verb=ListMetadataFormats&identifier=oai:library.example:d1",
      "verb=ListSets",
      "",
      "verb=<&a=\u0001",
      "verb=ListRecords&metadataPrefix=oai_dc&set=none",
      "verb=GetRecord&metadataPrefix=oai_dc&identifier=a%20%3C%22b",
      "verb=ListIdentifiers&metadataPrefix=mods&from=2026-11-20&until=2026-11-21",
      ...["ListRecords", "ListIdentifiers"].flatMap((verb) =>
        ["oai_dc", "marcxml", "mods"].map((prefix) => `verb=${verb}&metadataPrefix=${prefix}`),
      ),
    ].map((query) => world.ask(query)),
  );
  const second = await Promise.all(
    ["oai_dc", "marcxml", "mods"].map(async (prefix) => {
      const { pages } = await harvest(world, `verb=ListRecords&metadataPrefix=${prefix}`);
      return world.ask(`verb=ListRecords&resumptionToken=${pages[0]?.resumptionToken?.value}`);
    }),
  );
  const all = [...responses, ...second];
  expect(all.length).toBeGreaterThanOrEqual(195);
  expect(await problemsIn(all)).toEqual([]);
});

it.each([
  ["oai_dc", "<dc:title>", "<dc:colour>red</dc:colour><dc:title>"],
  ["marcxml", 'tag="245"', 'tag="2456"'],
  ["mods", "<titleInfo>", "<titleInfo><colour>red</colour>"],
  ["mods", "<header>", "<header><colour>red</colour>"],
])("a response in %s that does not fit the schema → found", async (prefix, text, wrong) => {
  const world = new GivenWorld();
  world.putRecord("r1", "One");
  await world.logAll();
  const response = await world.ask(`verb=ListRecords&metadataPrefix=${prefix}`);
  expect(response).toContain(text);
  expect(await problemsIn([response.replace(text, wrong)])).not.toEqual([]);
});

describe("the crosswalks", () => {
  const record: MarcRecord = {
    leader: "00000cab a2200000 i 4500",
    control: [
      ["001", "42"],
      ["003", "DE-627"],
      ["005", "20261120190000.0"],
      ["008", "261120s2026    xx |||||o     ||| ||ger c"],
    ],
    fields: [
      ["020", "  ", [["a", "9783161484100"]]],
      [
        "024",
        "7 ",
        [
          ["a", "10.5555/1"],
          ["2", "doi"],
        ],
      ],
      [
        "041",
        "0 ",
        [
          ["a", "eng"],
          ["a", "ger"],
        ],
      ],
      [
        "100",
        "1 ",
        [
          ["a", "Doe, Jane"],
          ["d", "1970-"],
          ["e", "Author."],
          ["4", "aut"],
        ],
      ],
      [
        "245",
        "14",
        [
          ["a", "The lathe :"],
          ["b", "a history /"],
          ["c", "Jane Doe"],
        ],
      ],
      [
        "264",
        " 1",
        [
          ["a", "Mill :"],
          ["b", "Press,"],
          ["c", "2026"],
        ],
      ],
      ["300", "  ", [["a", "12 p."]]],
      ["520", "  ", [["a", "On lathes"]]],
      [
        "650",
        " 7",
        [
          ["a", "Turning"],
          ["z", "Kent"],
          ["2", "lcsh"],
        ],
      ],
      [
        "773",
        "08",
        [
          ["i", "In:"],
          ["t", "Papers"],
          ["x", "1234-5679"],
          ["g", "volume:29"],
          ["g", "pages:1-12"],
        ],
      ],
      [
        "856",
        "40",
        [
          ["u", "https://a.example/1"],
          ["q", "text/html"],
        ],
      ],
    ],
  };

  it("MARC → Dublin Core", () => {
    const elements = [...marcToDc(record).matchAll(/<dc:(\w+)>([^<]*)</g)].map(
      ([, name, text]) => `${name}: ${text}`,
    );
    expect(elements).toEqual([
      "title: The lathe : a history",
      "creator: Doe, Jane 1970-",
      "publisher: Mill : Press",
      "date: 2026",
      "format: text/html",
      "description: On lathes",
      "subject: Turning--Kent",
      "relation: Papers volume:29 pages:1-12",
      "identifier: https://a.example/1",
      "identifier: urn:ISBN:9783161484100",
      "identifier: https://doi.org/10.5555/1",
      "type: text",
      "language: eng",
      "language: ger",
    ]);
  });

  it("MARC → MODS", () => {
    const [, content = ""] = /^<mods [^>]*>(.*)<\/mods>$/.exec(marcToMods(record)) ?? [];
    expect(
      content.replaceAll(
        /(?=<(?:titleInfo|name|typeOfResource|originInfo|language|physical|abstract|note|identifier|subject|relatedItem|location|recordInfo)[ >])/g,
        "\n",
      ),
    ).toMatchInlineSnapshot(`
      "
      <titleInfo><nonSort>The</nonSort><title>lathe</title><subTitle>a history</subTitle></titleInfo>
      <name type="personal" usage="primary"><namePart>Doe, Jane</namePart><namePart type="date">1970-</namePart><role><roleTerm type="text">Author</roleTerm></role><role><roleTerm authority="marcrelator" type="code">aut</roleTerm></role></name>
      <typeOfResource>text</typeOfResource>
      <originInfo><place><placeTerm type="text">Mill</placeTerm></place><publisher>Press</publisher><dateIssued>2026</dateIssued><issuance>continuing</issuance></originInfo>
      <language><languageTerm authority="iso639-2b" type="code">eng</languageTerm></language>
      <language><languageTerm authority="iso639-2b" type="code">ger</languageTerm></language><physicalDescription><extent>12 p.</extent><internetMediaType>text/html</internetMediaType></physicalDescription>
      <abstract>On lathes</abstract>
      <note type="statement of responsibility">Jane Doe</note>
      <identifier type="isbn">9783161484100</identifier>
      <identifier type="doi">10.5555/1</identifier>
      <subject authority="lcsh"><topic>Turning</topic><geographic>Kent</geographic></subject>
      <relatedItem type="host">
      <titleInfo><title>Papers</title></titleInfo>
      <identifier type="issn">1234-5679</identifier><part><detail type="volume"><number>29</number></detail><extent unit="pages"><list>1-12</list></extent></part></relatedItem>
      <location><url>https://a.example/1</url></location>
      <recordInfo><recordChangeDate encoding="iso8601">20261120190000.0</recordChangeDate><recordIdentifier source="DE-627">42</recordIdentifier></recordInfo>"
    `);
  });
});
