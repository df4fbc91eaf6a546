import { expect, it } from "vitest";
import { resolveLanguages } from "../../../../shared/harvest/convert/languages.ts";
import { expectedLanguages } from "../../../../shared/sources/source.ts";

it.for<[string, string, string, string | undefined, string[]]>([
  ["EN_gb", "", "", "de", ["eng"]],
  ["deu", "", "", undefined, ["ger"]],
  ["pt;en", "", "", undefined, []],
  ["fr", "force", "ger,eng", undefined, ["ger", "eng"]],
  ["it", "translator", "eng,fre", undefined, []],
  ["fr", "translator", "eng,fre", undefined, ["fre"]],
  ["", "translator", "eng,fre", "fr", []],
  ["fr", "compare", "eng", undefined, []],
  ["", "compare", "eng", undefined, ["eng"]],
  ["de", "compare", "eng,ger", "de", ["ger"]],
  ["de", "compare", "eng,ger", "en", []],
  ["de", "compare", "eng,fre", "de", ["ger"]],
  ["", "compare", "eng,ger", "de", ["ger"]],
  ["", "compare", "eng,ger", "fr", []],
  ["de", "compare", "eng,ger", undefined, ["ger"]],
  ["fr", "detect", "eng,ger", "de", ["ger"]],
  ["fr", "detect", "eng,ger", "it", []],
  ["fr", "detect", "eng,ger", undefined, ["fre"]],
])("item %j, %s %s, detected %s → %j", ([language, mode, codes, detected, expected]) => {
  const expectation = mode ? expectedLanguages.parse({ mode, codes: codes.split(",") }) : undefined;
  const article = { language, title: "A title", abstract: "An abstract" };
  expect(
    resolveLanguages(
      article,
      expectation,
      () => detected,
      () => {},
    ),
  ).toEqual(expected);
});

it.for([
  ["title", "A title"],
  ["abstract", "An abstract"],
  ["title+abstract", "A title An abstract"],
] as const)("detection from %s → that text", ([detectFrom, expected]) => {
  const asked: string[] = [];
  resolveLanguages(
    { language: "", title: "A title", abstract: "An abstract" },
    expectedLanguages.parse({ detectFrom, codes: ["eng", "ger"] }),
    (text) => void asked.push(text) as undefined,
    () => {},
  );
  expect(asked).toEqual([expected]);
});
