import { describe, expect, it } from "vitest";
import { languages } from "../../../shared/console/texts/languages.ts";
import { pages } from "../../../shared/operations/pages/pages.ts";
import { bodyOf, consoleRequest } from "./console-request.ts";

const path = "/console/sources/{id}/quality";

function pageAt(method: string) {
  const page = pages.find((each) => each.method === method && each.path === path);
  if (page === undefined) throw new Error(`there is no page ${method} ${path}`);
  return page;
}

const figures = (has: number, of: number) => ({ of, has, repeated: 0 });
const abstract = {
  ...{ field: "abstract", place: "520", now: figures(3, 40), days30: figures(41, 80) },
  days90: { ...figures(81, 120), medianLength: 1024 },
};
const year = { ...abstract, field: "year", place: "264", days30: { ...figures(80, 80), outside: 8 } };
const drift = {
  ...{ driftId: "d1", field: "abstract", place: "520", since: "2026-11-22T19:00:00Z" },
  ...{ foundIn: "r2", foundAt: "2026-11-22T19:00:00Z", now: { has: 3, of: 40 }, before: { has: 38, of: 40 } },
};
const runs = [
  { runId: "r1", startedAt: "2026-11-21T19:00:00Z", records: 40, has: { abstract: 38, year: 40 } },
  { runId: "r2", startedAt: "2026-11-22T19:00:00Z", records: 40, has: { abstract: 3, year: 40 } },
];

const show = async (quality: object, more: object = {}) =>
  bodyOf(
    await pageAt("GET").answer({
      ...consoleRequest("/console/sources/j/quality", {
        params: { id: "j" },
        answers: {
          "GET /sources/j": { sourceId: "j", title: "<b>Lantern</b>" },
          "GET /sources/j/quality": { sourceId: "j", fields: [abstract, year], runs, drifts: [], ...quality },
        },
      }),
      ...more,
    }),
  );

describe("the page of a source's quality", () => {
  it("runs → each field with its shares, a line with title and description, and the figures behind it", async () => {
    const body = await show({});
    expect(body).toContain("Quality of &lt;b&gt;Lantern&lt;/b&gt;");
    expect(body).toContain("7.5 % (3 of 40)");
    expect(body).toContain("67.5 % (81 of 120)");
    expect(body).toContain("10.0 %");
    expect(body).toContain('<title id="line-abstract-title">abstract: 67.5 % (81 of 120)</title>');
    expect(body).toContain("2 runs, oldest first, from 7.5 % to 95.0 %");
    expect(body.match(/<svg /g)).toHaveLength(2);
    expect(body).toContain('<a href="/console/runs/r2">');
    expect(body).not.toContain('class="warning"');
  });

  it("an open drift → what has changed, and a button that accepts it; accepted → by whom, and a button that revokes it", async () => {
    const open = await show({ drifts: [drift] });
    expect(open).toContain("abstract (520): 3 of 40, was 38 of 40. The pages of the source have changed.");
    expect(open).toContain('name="decision" value="accept"');
    const accepted = await show({ drifts: [{ ...drift, accepted: { at: drift.since, by: "ben" } }] });
    expect(accepted).toContain("abstract (520): ben accepted the lower share as normal: today 20:00");
    expect(accepted).toContain('name="decision" value="reopen"');
    const viewed = await show({ drifts: [drift] }, { caller: { name: "v", role: "viewer" } });
    expect(viewed).not.toContain("<form");
  });

  it("a drift that has ended → in the past changes, without a button", async () => {
    const recovered = { runId: "r3", at: "2026-11-22T19:10:00Z", share: { has: 40, of: 40 } };
    const body = await show({ drifts: [{ ...drift, recovered }] });
    expect(body).toContain("Past changes");
    expect(body).toContain("today 20:10");
    expect(body).not.toContain("<form");
  });

  it("no records → every field, without a share and without a line", async () => {
    const none = { ...abstract, now: figures(0, 0), days30: figures(0, 0), days90: figures(0, 0) };
    const body = await show({ fields: [none], runs: [] });
    expect(body).toContain("abstract (520)");
    expect(body).not.toMatch(/NaN|<svg|<details/);
  });

  it("a decision → sent once, with the opposite as its undo", async () => {
    const request = consoleRequest("/console/sources/j/quality", {
      params: { id: "j" },
      form: { drift: "d1", decision: "accept" },
      answers: { "POST /sources/j/quality/drifts": { status: 204 } },
    });
    expect(await pageAt("POST").answer(request)).toEqual({
      redirect: "/console/sources/j/quality",
      notice: {
        text: "The lower share is normal from now on.",
        undo: { to: "/console/sources/j/quality", fields: { drift: "d1", decision: "reopen" } },
      },
    });
    expect(request.calls.map(({ body }) => body)).toEqual([{ driftId: "d1", decision: "accept" }]);
  });
});

it.each([
  ["en", "520 of Lantern: 3 of 40, was 38 of 40; 024: 0 of 40, was 40 of 40: its pages have changed"],
  [
    "de",
    "520 von Lantern: 3 von 40, vorher 38 von 40; 024: 0 von 40, vorher 40 von 40: Die Seiten haben sich geändert",
  ],
] as const)(
  "on Today in %s → the fields of a source in one sentence, with the way to its page",
  async (language, sentence) => {
    const today = pages.find(({ method, path }) => method === "GET" && path === "/console");
    const fields = [drift, { place: "024", now: { has: 0, of: 40 }, before: { has: 40, of: 40 } }];
    const needs = [{ type: "quality-drifted", sourceId: "a/b", title: "Lantern", fields }];
    const request = consoleRequest("/console", {
      answers: { "GET /today": { needs, nextRuns: [], unfinished: [] }, "GET /runs": { runs: [] } },
    });
    const answer = await today?.answer({ ...request, language, texts: languages[language] });
    const body = answer === undefined ? "" : await bodyOf(answer);
    expect(body).toContain(sentence);
    expect(body).toContain('href="/console/sources/a%2Fb/quality"');
  },
);
