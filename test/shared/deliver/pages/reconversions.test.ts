import { describe, expect, it } from "vitest";
import type { Page } from "../../../../shared/console/page.ts";
import { languages } from "../../../../shared/console/texts/languages.ts";
import { pages } from "../../../../shared/operations/pages/pages.ts";
import { bodyOf, consoleRequest } from "../../console/console-request.ts";

const id = "20261120T190000Z-1b4e28ba";
const reconversion = {
  reconversionId: id,
  state: "tried",
  by: "anna",
  requestedAt: "2026-11-20T19:00:00Z",
  deliveryMode: "LIVE",
  selection: { type: "source", sourceId: "s", from: "2026-11-01" },
  asksAgencies: false,
  counts: { same: 3, changed: 1, gone: 1 },
};
const markup = "<img src=x>";
const records = [
  {
    recordId: "r1",
    title: `A ${markup}`,
    url: "https://s.example/1",
    outcome: "changed",
    changes: [
      { tag: "245", before: ["00 $a Wrong", "00 $a Kept"], after: [`00 $a ${markup}`, "00 $a Kept"] },
    ],
  },
  {
    recordId: "r2",
    title: "B",
    url: "https://s.example/2",
    outcome: "gone",
    reason: "its stored page has been deleted",
  },
];

function pageAt(method: Page["method"], path: string): Page {
  const page = pages.find((each) => each.method === method && each.path === path);
  if (page === undefined) throw new Error(`there is no page ${method} ${path}`);
  return page;
}

const request = (path: string, more: Parameters<typeof consoleRequest>[1] = {}, state = "tried") =>
  consoleRequest(path, {
    params: { id },
    ...more,
    answers: {
      "GET /reconversions": { reconversions: [{ ...reconversion, state }] },
      [`GET /reconversions/${id}`]: { ...reconversion, state },
      [`GET /reconversions/${id}/records`]: { records, next: "1000" },
      [`POST /reconversions/${id}/deliver`]: { status: "delivering" },
      [`POST /reconversions/${id}/reverse`]: { result: "/reconversions/other" },
      "POST /reconversions": { result: `/reconversions/${id}` },
      ...more.answers,
    },
  });

describe("a reconversion in the console", () => {
  it("its fields before and after, its reasons, and the decisions", async () => {
    const answer = await pageAt("GET", "/console/reconversions/{id}").answer(
      request(`/console/reconversions/${id}`),
    );
    const body = await bodyOf(answer);
    expect(body).toContain("<del>245 00 $a Wrong</del>");
    expect(body).toContain("<ins>245 00 $a &lt;img src=x&gt;</ins>");
    expect(body).not.toContain("$a Kept");
    expect(body).not.toContain(markup);
    expect(body).toContain("its stored page has been deleted");
    expect(body).toContain("Delivers the changed records (1) in files of updates.");
    expect(body).toContain("2026-11-01 – …");
    for (const name of ["deliver", "cancel"]) expect(body).toContain(`/console/reconversions/${id}/${name}`);
    expect(body).not.toContain(`/console/reconversions/${id}/reverse`);
    expect(body).toContain(`?after=1000`);
  });

  it("in German → the states and reasons as well", async () => {
    const given = {
      ...request(`/console/reconversions/${id}`),
      texts: languages.de,
      language: "de" as const,
    };
    const body = await bodyOf(await pageAt("GET", "/console/reconversions/{id}").answer(given));
    expect(body).toContain("die gespeicherte Seite ist gelöscht");
    expect(body).toContain("wartet auf Entscheidung");
  });

  it.each([
    ["converting", ["cancel"]],
    ["delivering", ["deliver", "cancel"]],
    ["sending", ["deliver"]],
    ["delivered", ["reverse"]],
    ["cancelled", []],
  ])("%s → the decisions %j", async (state, expected) => {
    const given = request(`/console/reconversions/${id}`, {}, state);
    const body = await bodyOf(await pageAt("GET", "/console/reconversions/{id}").answer(given));
    const offered = ["deliver", "cancel", "reverse"].filter((name) => body.includes(`${id}/${name}"`));
    expect(offered).toEqual(expected);
  });

  it("decided → sent to the API; a reversal is shown", async () => {
    const deliver = request(`/console/reconversions/${id}/deliver`);
    expect(await pageAt("POST", "/console/reconversions/{id}/deliver").answer(deliver)).toMatchObject({
      redirect: `/console/reconversions/${id}`,
    });
    expect(deliver.calls).toMatchObject([{ method: "POST", path: `/reconversions/${id}/deliver` }]);
    const reverse = request(`/console/reconversions/${id}/reverse`);
    expect(await pageAt("POST", "/console/reconversions/{id}/reverse").answer(reverse)).toMatchObject({
      redirect: "/console/reconversions/other",
    });
  });

  it.each([
    [
      { source: "s", from: "2026-11-01", to: "", asksAgencies: "yes" },
      { source: "s", from: "2026-11-01", asksAgencies: true },
    ],
    [{ record: "r1" }, { record: "r1" }],
  ])("requested with %j → that", async (form, body) => {
    const given = request("/console/reconversions", { form });
    expect(await pageAt("POST", "/console/reconversions").answer(given)).toEqual({
      redirect: `/console/reconversions/${id}`,
    });
    expect(given.calls.at(-1)).toMatchObject({ path: "/reconversions", body });
  });

  it("the list of a source → with the source in the form", async () => {
    const given = request("/console/reconversions?source=s");
    const body = await bodyOf(await pageAt("GET", "/console/reconversions").answer(given));
    expect(body).toMatch(/name="source" required value="s"/);
    expect(body).toContain(`href="/console/reconversions/${id}"`);
  });
});
