import { expect, test } from "vitest";
import { parseOaiDc } from "../../../shared/formats/oai-dc.ts";
import { person, statementsOf } from "./record-file/statements-of.ts";

const dc = (inside: string) =>
  `<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/">${inside}</oai_dc:dc>`;

test("a journal article → all its elements", () => {
  const text = dc(`<dc:title xml:lang="en">Bells &amp; Fog</dc:title>
  <dc:creator>Amsinck, Liesel</dc:creator><dc:creator>Heide, Odo</dc:creator>
  <dc:subject>bells</dc:subject><dc:subject>fog</dc:subject>
  <dc:description xml:lang="en">The bells.</dc:description>
  <dc:publisher>Bell Press</dc:publisher><dc:date>2022-12-01</dc:date>
  <dc:type>info:eu-repo/semantics/article</dc:type>
  <dc:identifier>https://bells.example/1</dc:identifier><dc:identifier>doi:10.55555/bells.1</dc:identifier>
  <dc:source>Journal of Bells</dc:source><dc:language>eng</dc:language><dc:rights>CC BY</dc:rights>`);
  expect(statementsOf(parseOaiDc(text))).toEqual([
    {
      itemType: "journalArticle",
      title: "Bells & Fog",
      creators: [person("Liesel", "Amsinck"), person("Odo", "Heide")],
      date: "2022-12-01",
      publicationTitle: "Journal of Bells",
      DOI: "10.55555/bells.1",
      language: "eng",
      url: "https://bells.example/1",
      publisher: "Bell Press",
      abstracts: [{ text: "The bells.", language: "en" }],
      keywords: ["bells", "fog"],
      rights: ["CC BY"],
    },
  ]);
});

test.each([
  [
    "another prefix → read",
    '<d xmlns:x="http://purl.org/dc/elements/1.1/"><x:title>A</x:title></d>',
    [{ title: "A" }],
  ],
  ["no Dublin Core", "<dc><title>A</title></dc>", "it has no Dublin Core element"],
  ["nothing in it", dc(""), "it has no Dublin Core element"],
  ["broken", "<dc:dc", expect.any(String)],
])("%s", (_title, text, expected) => {
  expect(statementsOf(parseOaiDc(text))).toEqual(expected);
});
