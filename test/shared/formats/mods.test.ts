import { expect, test } from "vitest";
import { parseMods } from "../../../shared/formats/mods.ts";
import { person, statementsOf } from "./record-file/statements-of.ts";

const mods = (inside: string) => `<mods xmlns="http://www.loc.gov/mods/v3">${inside}</mods>`;

test("a journal article with another prefix → all its elements", () => {
  const text = `<?xml version="1.0"?>
<m:modsCollection xmlns:m="http://www.loc.gov/mods/v3"><m:mods version="3.3">
  <m:titleInfo type="abbreviated"><m:title>Bells</m:title></m:titleInfo>
  <m:titleInfo><m:nonSort>The</m:nonSort><m:title>Bells</m:title><m:subTitle>in Fog</m:subTitle></m:titleInfo>
  <m:name type="personal"><m:namePart type="given">Liesel</m:namePart><m:namePart type="family">Amsinck</m:namePart>
    <m:role><m:roleTerm type="text">author</m:roleTerm></m:role></m:name>
  <m:name type="personal"><m:namePart>Heide, Odo</m:namePart><m:role><m:roleTerm type="code">edt</m:roleTerm></m:role></m:name>
  <m:name type="corporate"><m:namePart>Institute of Bells</m:namePart></m:name>
  <m:name><m:namePart>Sponsor, A.</m:namePart><m:role><m:roleTerm>funder</m:roleTerm></m:role></m:name>
  <m:genre>Article</m:genre>
  <m:abstract>The bells &amp; the fog.</m:abstract>
  <m:subject><m:topic>bells</m:topic><m:topic>fog</m:topic></m:subject>
  <m:language><m:languageTerm type="code">eng</m:languageTerm></m:language>
  <m:originInfo><m:dateIssued encoding="iso8601">2022-12-01</m:dateIssued></m:originInfo>
  <m:relatedItem type="host"><m:titleInfo><m:title>Journal of Bells</m:title></m:titleInfo>
    <m:originInfo><m:publisher>Bell Press</m:publisher></m:originInfo><m:identifier type="issn">2999-1234</m:identifier>
    <m:part><m:detail type="volume"><m:number>14</m:number></m:detail><m:detail type="issue"><m:number>2</m:number></m:detail>
      <m:extent unit="pages"><m:start>33</m:start><m:end>58</m:end></m:extent></m:part></m:relatedItem>
  <m:identifier type="doi">10.55555/bells.1</m:identifier>
  <m:location><m:url>https://bells.example/1</m:url></m:location>
  <m:accessCondition>CC BY</m:accessCondition>
</m:mods></m:modsCollection>`;
  expect(statementsOf(parseMods(text))).toEqual([
    {
      itemType: "journalArticle",
      title: "The Bells: in Fog",
      creators: [
        person("Liesel", "Amsinck"),
        person("Odo", "Heide", "editor"),
        { creatorType: "author", name: "Institute of Bells" },
      ],
      date: "2022-12-01",
      publicationTitle: "Journal of Bells",
      volume: "14",
      issue: "2",
      pages: "33-58",
      DOI: "10.55555/bells.1",
      ISSN: "2999-1234",
      language: "eng",
      url: "https://bells.example/1",
      publisher: "Bell Press",
      abstracts: [{ text: "The bells & the fog." }],
      keywords: ["bells", "fog"],
      rights: ["CC BY"],
    },
  ]);
});

test.each<[string, string, object[] | string]>([
  [
    "part of a book → book section",
    mods(
      '<titleInfo><title>A</title></titleInfo><relatedItem type="host"><titleInfo><title>B</title></titleInfo></relatedItem>',
    ),
    [{ itemType: "bookSection", title: "A", publicationTitle: "B" }],
  ],
  ["a title alone → of no type", mods("<titleInfo><title>A</title></titleInfo>"), [{ title: "A" }]],
  ["without its namespace → unreadable", "<mods><titleInfo/></mods>", "it has no mods element"],
  ["broken markup → unreadable", "<!doctype html><p>Log in<br>", "line 1: incorrect syntax."],
])("%s", (_title, text, expected) => {
  expect(statementsOf(parseMods(text))).toEqual(expected);
});
