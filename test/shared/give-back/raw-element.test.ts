import { expect, it } from "vitest";
import { readRawElement } from "../../../shared/give-back/formats/raw-element.ts";
import { cpuMsOf } from "../../cpu-time.ts";

it("a megabyte of characters that begin tags, in a section → read in bounded time", () => {
  const raw = `<x:a xmlns:x="urn:a"><![CDATA[${"<".repeat(1_000_000)}:]]></x:a>`;
  let xml: string | undefined;
  expect(
    cpuMsOf(() => {
      xml = readRawElement(raw)?.xml;
    }),
  ).toBeLessThan(5000);
  expect(xml).toBe(raw);
});

it.each([
  ["a default namespace", '<a xmlns="urn:a"><b/></a>', '<a xmlns="urn:a"><b/></a>'],
  ["a prefix", '<x:a xmlns:x="urn:a"><x:b/></x:a>', '<x:a xmlns:x="urn:a"><x:b/></x:a>'],
  [
    "elements without a namespace → they keep none",
    '<x:a xmlns:x="urn:a"><b/></x:a>',
    '<x:a xmlns:x="urn:a" xmlns=""><b/></x:a>',
  ],
  ["an empty root", '<x:a xmlns:x="urn:a"/>', '<x:a xmlns:x="urn:a"/>'],
  ["single quotes", "<x:a xmlns:x='urn:a' b='>'>c</x:a>", "<x:a xmlns:x='urn:a' b='>'>c</x:a>"],
  [
    "a declaration and comments",
    '\ufeff<?xml version="1.0"?>\n<!-- a --> <a xmlns="urn:a"/>',
    '<a xmlns="urn:a"/>',
  ],
  ["no namespace", "<a/>", undefined],
  ["the namespace of the protocol", '<a xmlns="http://www.openarchives.org/OAI/2.0/"/>', undefined],
  ["a document type", '<!DOCTYPE a [<!ENTITY b "c">]><a xmlns="urn:a">&b;</a>', undefined],
  ["an unknown entity", '<a xmlns="urn:a">&b;</a>', undefined],
  ["an open element", '<a xmlns="urn:a"><b></a>', undefined],
  ["an undeclared prefix inside", '<a xmlns="urn:a"><y:b/></a>', undefined],
  ["two elements", '<a xmlns="urn:a"/><b xmlns="urn:b"/>', undefined],
  ["a control character", '<a xmlns="urn:a">\u0001</a>', undefined],
  ["text", "Title: a", undefined],
])("metadata with %s", (_what, raw, given) => {
  const element = readRawElement(raw);
  expect(element?.xml).toBe(given);
  if (given !== undefined) expect(element?.namespace).toBe("urn:a");
});
