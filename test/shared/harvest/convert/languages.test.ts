import { expect, it } from "vitest";
import type { z } from "zod";
import type { Detection } from "../../../../shared/formats/language/detect-language.ts";
import { resolveLanguages, textToDetect } from "../../../../shared/harvest/convert/languages.ts";
import { expectedLanguages } from "../../../../shared/records/sources/expected-languages.ts";

type NewExpectation = z.input<typeof expectedLanguages>;

it.each<[string, string[], string | undefined, string[]]>([
  ["fr", ["eng"], undefined, ["language fre of the item, but eng is expected: no language is set"]],
  ["de", ["eng", "ger"], "en", ["language ger of the item, but eng is detected: no language is set"]],
  ["de", ["eng", "ger"], "de", []],
])("item %j, expected %j, detected %s → warnings %j", (language, codes, code, expected) => {
  const warnings: string[] = [];
  const detection: Detection = code === undefined ? { type: "unknown" } : { type: "detected", code };
  const article = { language, title: "A title", abstract: "" };
  const detections = new Map([["A title", detection]]);
  resolveLanguages(article, expectedLanguages.parse({ codes }), detections, (one) => warnings.push(one));
  expect(warnings).toEqual(expected);
});

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
  ["fr", "detect", "eng,ger", undefined, []],
  ["de", "detect", "eng,ger", undefined, []],
  ["fr", "compare", "eng,ger", undefined, ["fre"]],
])("item %j, %s %s, detected %s → %j", ([language, mode, codes, code, expected]) => {
  const expectation = mode ? expectedLanguages.parse({ mode, codes: codes.split(",") }) : undefined;
  const article = { language, title: "A title", abstract: "An abstract" };
  const detection: Detection = code === undefined ? { type: "unknown" } : { type: "detected", code };
  const detections = new Map([["A title", detection]]);
  expect(resolveLanguages(article, expectation, detections, () => {})).toEqual(expected);
});

it.each([
  ["stands", "compare", ["ger"]],
  ["counts no more than before where the detected one alone does", "detect", []],
] as const)("a detection that failed → the item's language %s, with a warning", (_what, mode, expected) => {
  const detections = new Map([["A title", { type: "failed", reason: "Tika answered 500" } as const]]);
  const warnings: string[] = [];
  const languages = resolveLanguages(
    { language: "de", title: "A title", abstract: "" },
    expectedLanguages.parse({ mode, codes: ["eng", "ger"] }),
    detections,
    (warning) => warnings.push(warning),
  );
  expect(languages).toEqual(expected);
  expect(warnings).toEqual(["the language could not be detected: Tika answered 500"]);
});

it.for<[string, NewExpectation | undefined, string | undefined]>([
  ["nothing expected", undefined, undefined],
  ["one language expected", { codes: ["eng"] }, undefined],
  ["languages forced", { mode: "force", codes: ["eng", "ger"] }, undefined],
  ["the item's own language counts", { mode: "translator", codes: ["eng", "ger"] }, undefined],
  ["from the title", { codes: ["eng", "ger"] }, "A title"],
  ["whatever the item says", { mode: "detect", codes: ["eng", "ger"] }, "A title"],
  ["from the abstract", { detectFrom: "abstract", codes: ["eng", "ger"] }, "An abstract"],
  ["from both", { detectFrom: "title+abstract", codes: ["eng", "ger"] }, "A title An abstract"],
])("%s → the text to detect", ([, expected, text]) => {
  const article = { title: "A title", abstract: "An abstract" };
  expect(textToDetect(article, expected && expectedLanguages.parse(expected))).toBe(text);
});

it("an abstract to detect from that is empty → nothing to detect", () => {
  const expected = expectedLanguages.parse({ detectFrom: "abstract", codes: ["eng", "ger"] });
  expect(textToDetect({ title: "A title", abstract: "" }, expected)).toBeUndefined();
});
