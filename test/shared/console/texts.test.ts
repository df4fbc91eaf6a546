import { describe, expect, it } from "vitest";
import { en } from "../../../shared/console/texts/en.ts";
import { languages } from "../../../shared/console/texts/languages.ts";

/** Every key of a language with what kind of text it is: `today.title string`, `table.shown function/3`. */
function keysOf(texts: object, prefix = ""): string[] {
  return Object.entries(texts).flatMap(([key, text]) => {
    if (typeof text === "object") return keysOf(text, `${prefix}${key}.`);
    return [`${prefix}${key} ${typeof text}`];
  });
}

function stringsOf(texts: object): string[] {
  return Object.values(texts).flatMap((text) =>
    typeof text === "object" ? stringsOf(text) : typeof text === "string" ? [text] : [],
  );
}

describe.each(Object.entries(languages))("the texts in %s", (_name, texts) => {
  it("have the same keys as those in English", () => {
    expect(keysOf(texts).sort()).toEqual(keysOf(en).sort());
  });

  it("are not empty, and neither beg nor cheer", () => {
    for (const text of stringsOf(texts)) {
      expect(text).not.toBe("");
      expect(text).not.toMatch(/!|\b(please|bitte|successful|erfolgreich)/i);
    }
  });
});
