import { describe, expect, it } from "vitest";
import type { Page } from "../../../../shared/console/page.ts";
import { pages } from "../../../../shared/operations/pages/pages.ts";
import { bodyOf, consoleRequest } from "../../console/console-request.ts";

function pageAt(method: Page["method"], path: string): Page {
  const page = pages.find((each) => each.method === method && each.path === path);
  if (page === undefined) throw new Error(`there is no page ${method} ${path}`);
  return page;
}

const markup = "<img src=x>";
const heldDeletions = { harvestId: "h", since: "2026-11-20T19:00:00Z", documents: 248, of: 250 };

const answers = (more: object = {}, type = "OAI-PMH") => ({
  "GET /sources/s": { sourceId: "s", title: "S", type, url: "https://r.example/", deliveryMode: "LIVE" },
  "GET /sources/s/runs": { runs: [] },
  "GET /runs": { runs: [] },
  "GET /sources/s/harvest": { heldDeletions: { ...heldDeletions, examples: ["oai:1", markup], ...more } },
});

const sourcePage = (given: Parameters<typeof consoleRequest>[1]) =>
  pageAt("GET", "/console/sources/{id}")
    .answer(consoleRequest("/console/sources/s", { params: { id: "s" }, ...given }))
    .then(bodyOf);

describe("deletions that are held, on the page of their source", () => {
  it("how many, examples as text, and both decisions", async () => {
    const body = await sourcePage({ answers: answers() });
    expect(body).toContain("lacks 248 of its 250 documents");
    expect(body).toContain("<li>oai:1</li>");
    expect(body).not.toContain(markup);
    for (const decision of ["release", "drop"]) expect(body).toContain(`name="decision" value="${decision}"`);
  });

  it("released ones → only the way back", async () => {
    const body = await sourcePage({ answers: answers({ isReleased: true }) });
    expect(body).toContain("These deletions are released");
    expect(body).not.toContain('value="release"');
    expect(body).toContain('value="drop"');
  });

  it("a viewer → sees them, and decides nothing", async () => {
    const body = await sourcePage({ answers: answers(), role: "viewer" });
    expect(body).toContain("lacks 248 of its 250 documents");
    expect(body).not.toContain('name="decision"');
  });

  it("a repository that could not be asked → why, also when nothing is held", async () => {
    const body = await sourcePage({
      answers: { ...answers(), "GET /sources/s/harvest": { outage: markup } },
    });
    expect(body).toContain("could not be asked for some of the documents");
    expect(body).not.toContain(markup);
    expect(body).not.toContain('name="decision"');
  });

  it("a list size that is always wrong → said, also when nothing is held", async () => {
    const wrongSizes = [{ lists: "full", announced: 835, read: 789 }];
    const body = await sourcePage({ answers: { ...answers(), "GET /sources/s/harvest": { wrongSizes } } });
    expect(body).toContain("announces 835 records, and lists 789");
    expect(body).not.toContain('name="decision"');
  });

  it("files that are missing → how many, and a decision on files", async () => {
    const body = await sourcePage({ answers: answers({ areFiles: true }) });
    expect(body).toContain("248 files of the 250 documents are missing");
    expect(body).toContain('name="files" value="true"');
  });

  it("a folder that is empty → says so, with both decisions", async () => {
    const body = await sourcePage({ answers: answers({ unconfirmed: "the folder is empty" }, "FOLDER") });
    expect(body).toContain("The folder is empty, although it had files.");
    for (const decision of ["release", "drop"]) expect(body).toContain(`name="decision" value="${decision}"`);
  });

  it("a source of another type → is not asked for them", async () => {
    expect(await sourcePage({ answers: answers({}, "RSS") })).not.toContain("lacks 248");
  });

  it.each([
    [
      "release",
      {},
      "These deletions are released: the source is read again, and documents that it still lacks are deleted.",
    ],
    ["drop", {}, "The documents are kept."],
    ["release", { files: "true" }, "The deletion of these files is released; it takes a few minutes."],
    ["drop", { files: "true" }, "The files are kept."],
  ])("%s %j → that decision on these deletions", async (decision, more, text) => {
    const request = consoleRequest("/console/sources/s/deletions", {
      answers: { "POST /sources/s/harvest/deletions": { harvestId: "h", decision } },
      params: { id: "s" },
      form: { decision, harvest: "h", ...more },
    });
    const answer = await pageAt("POST", "/console/sources/{id}/deletions").answer(request);
    expect(answer).toEqual({ redirect: "/console/sources/s", notice: { text } });
    expect(request.calls.at(-1)?.body).toEqual({ harvestId: "h", decision });
  });
});
