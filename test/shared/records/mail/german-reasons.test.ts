import { describe, expect, it } from "vitest";
import { compileRule } from "../../../../shared/links/rule/rule.ts";
import { concludeSweep } from "../../../../shared/links/status/stored-sweep.ts";
import { judgeLink } from "../../../../shared/links/verdict/verdict.ts";
import { germanReason } from "../../../../shared/records/mail/german-reasons.ts";
import type { Hop } from "../../../../shared/web/exchange/exchange.ts";

const hop = (status: number) => ({ url: "https://a.example/x", status }) as Hop;
const page = Buffer.from("<html><p>gone</p></html>");

/** What the judge says about an answer with this status. */
function reasonOf(status: number, rule = {}, html = false): string {
  const headers: Record<string, string> = html ? { "content-type": "text/html" } : {};
  return judgeLink({ type: "answered", hops: [hop(status)], headers, body: page }, compileRule(rule)).reason;
}

describe("the reason of a check in German", () => {
  it.each([
    [reasonOf(404), "Antwort 404"],
    [reasonOf(200), "Antwort 200"],
    [reasonOf(403), "Antwort 403: a.example weist uns ab"],
    [reasonOf(302, { statusCodes: "302" }), "Antwort 302, die die Regel nennt (302)"],
    [
      reasonOf(200, { finalUrl: "https://a.example/x" }),
      "es führt zu https://a.example/x, was die Regel nennt (https://a.example/x)",
    ],
    [reasonOf(200, { xpath: "//p" }, true), "die Seite entspricht //p"],
    ["no answer (timeout): nothing came in 30 s", "keine Antwort (timeout): nothing came in 30 s"],
    ["the publisher moves", "the publisher moves"],
  ])("%s → %s", (english, german) => {
    expect(germanReason(english)).toBe(german);
  });

  it("of a sweep → with those of its links", () => {
    const samples = ["a", "b"].map((checkId) => ({ checkId }));
    const results = {
      a: { verdict: "broken" as const, reason: "answered 404" },
      b: { verdict: "broken" as const, reason: "the page matches //p" },
    };
    // The other fields of a sweep are not judged.
    const swept = concludeSweep({ samples, results } as unknown as Parameters<typeof concludeSweep>[0]);
    expect(germanReason(swept?.reason ?? "")).toBe(
      "alle 2 Links der Stichprobe sind defekt: Antwort 404; die Seite entspricht //p",
    );
  });
});

it.each([
  ["required 100-field is missing", "Pflichtfeld 100 fehlt"],
  ["936: required subfield d is missing", "936: Pflichtunterfeld d fehlt"],
  ["245: found unexpected subfield $x", "245: unerwartetes Unterfeld $x"],
  ["no rule for present field 999 was found", "für das Feld 999 gibt es keine Regel"],
  ["245 is not a repeatable field", "Feld 245 ist nicht wiederholbar"],
  ["subfield 245$a is missing", "Unterfeld 245$a fehlt"],
])("the reason of a finding, %s → %s", (english, german) => {
  expect(germanReason(english)).toBe(german);
});
