import { expect, it } from "vitest";
import { isCut, tidyAbstract } from "../../../shared/formats/abstracts.ts";
import { readPageItem } from "../../../shared/formats/page/read-page.ts";

it.each<[string, string | undefined]>([
  ["Abstract", undefined],
  ["ABSTRACT:", undefined],
  ["Zusammenfassung / Abstract", undefined],
  ["Résumé.", undefined],
  ["No abstract available.", undefined],
  ["Abstract not available", undefined],
  ["n/a", undefined],
  ["Abstract: Bees dance.", "Bees dance."],
  ["ABSTRACT Bees dance.", "Bees dance."],
  ["Abstract art is old.", "Abstract art is old."],
  ["Summary judgments are rare.", "Summary judgments are rare."],
  ["Bees dance.", "Bees dance."],
])("%j → %j", (text, abstract) => {
  expect(tidyAbstract(text)).toBe(abstract);
});

it.each<[string, boolean]>([
  ["Bees dance…", true],
  ["Bees dance...", true],
  [`${"Bees dance. ".repeat(13)}They turn and tur`, true],
  [`${"Bees dance. ".repeat(13)}They turn.`, false],
  ["Bees dance", false],
  [`${"Bees dance. ".repeat(50)}They turn and tur`, false],
])("%j is cut: %s", (text, expected) => {
  expect(isCut(text)).toBe(expected);
});

const read = (head: string) => {
  const page = `<!doctype html><title>The Dance of Bees</title><meta name="citation_title" content="The Dance of Bees">${head}`;
  const reading = readPageItem(new TextEncoder().encode(page), { url: "https://www.j.example/1" });
  if (reading.type !== "item") throw new Error(reading.detail);
  return reading;
};
const described = (text: string) => `<meta name="description" content="${text}">`;

it.each<[string, string, string | undefined]>([
  ["a heading alone", '<meta name="citation_abstract" content="Abstract">', undefined],
  ["the description of the site", described("News and views from our press."), undefined],
  ["a description of the article", described("How bees tell the way."), "How bees tell the way."],
  [
    "a heading in one vocabulary and the text in another",
    `<meta name="citation_abstract" content="Abstract"><meta name="DC.description" content="Bees turn.">`,
    "Bees turn.",
  ],
])("%s → %3$j", (_what, head, abstract) => {
  expect(read(head).item.abstractNote).toBe(abstract);
});

it("an abstract that is cut, and no other → kept and told", () => {
  const { item, problems } = read('<meta name="citation_abstract" content="Bees dance and …">');
  expect(item.abstractNote).toBe("Bees dance and …");
  expect(problems).toEqual(['the abstract is cut at "Bees dance and …"']);
});
