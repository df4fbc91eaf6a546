import { describe, expect, it } from "vitest";
import type { Page } from "../../../../shared/console/page.ts";
import { languages } from "../../../../shared/console/texts/languages.ts";
import { describeCheckup } from "../../../../shared/harvest/repository-check/describe-checkup.ts";
import { pages } from "../../../../shared/operations/pages/pages.ts";
import { bodyOf, consoleRequest } from "../../console/console-request.ts";
import { identityWith, modelRepository } from "../repository-check/model-repository.ts";
import { runCheckup } from "../repository-check/run-checkup.ts";

function pageAt(method: Page["method"], path: string): Page {
  const page = pages.find((each) => each.method === method && each.path === path);
  if (page === undefined) throw new Error(`there is no page ${method} ${path}`);
  return page;
}

const markup = "<img src=x>";
const script = modelRepository({
  announced: () => 9_000,
  identify: identityWith({ repositoryName: "R", deletedRecord: "no", protocolVersion: "&lt;img src=x>" }),
});
const result = {
  status: "finished",
  requestedAt: "2026-05-01T10:00:00Z",
  ...describeCheckup(runCheckup(script), { groupId: "G" }),
};
const answers = {
  "POST /repository-checks": { status: "running", result: "/repository-checks/c" },
  "GET /repository-checks/c": result,
  "POST /sources": { sourceId: "r" },
};
const found = (more: object = {}) =>
  consoleRequest("/console/sources/check/c", { params: { id: "c" }, answers: { ...answers, ...more } });

describe("the check of a repository in the console", () => {
  it("an address, and what else was typed → the check", async () => {
    const form = { url: " https://r.example/oai ", set: "a", pages: "3", groupId: "", metadataPrefix: "" };
    const request = consoleRequest("/console/sources/check", { answers, form });
    expect(await pageAt("POST", "/console/sources/check").answer(request)).toEqual({
      redirect: "/console/sources/check/c",
    });
    expect(request.calls[0]?.body).toEqual({ url: "https://r.example/oai", set: "a", pages: 3 });
  });

  it("the page of a detected repository → the address is filled in", async () => {
    const request = consoleRequest("/console/sources/check?url=https%3A%2F%2Fr.example%2Foai");
    expect(await bodyOf(await pageAt("GET", "/console/sources/check").answer(request))).toContain(
      'value="https://r.example/oai"',
    );
  });

  it("while it runs → how many requests were made", async () => {
    const running = {
      status: "running",
      result: "x",
      url: "https://r.example/oai",
      requestedAt: "x",
      requests: 7,
    };
    const answer = await pageAt("GET", "/console/sources/check/{id}").answer(
      found({ "GET /repository-checks/c": running }),
    );
    expect(answer).toMatchObject({ live: true });
    expect(await bodyOf(answer)).toContain("7 so far");
  });

  it("findings as text, in the reader's language, the rating, and the form of the proposed source", async () => {
    const page = pageAt("GET", "/console/sources/check/{id}");
    const body = await bodyOf(await page.answer(found()));
    expect(body).toContain("size-too-large");
    expect(body).toContain("completeListSize is the size of the list.");
    expect(body).not.toContain(markup);
    expect(body).toMatch(/name="title"[^>]* value="R"/);
    expect(body).toMatch(/<option value="identifiers" selected>/);
    const german = await bodyOf(await page.answer({ ...found(), language: "de", texts: languages.de }));
    expect(german).toContain("completeListSize ist die Größe der Liste.");
  });

  it("saved as it was changed → a source with the proposed settings", async () => {
    const form = {
      title: "Changed",
      sourceId: "r",
      groupId: "G",
      url: "https://r.example/oai",
      "oai.slice": "year",
    };
    const request = consoleRequest("/console/sources/check/c", { params: { id: "c" }, answers, form });
    const saved = await pageAt("POST", "/console/sources/check/{id}").answer(request);
    expect(saved).toMatchObject({ redirect: "/console/sources/r" });
    expect(request.calls.at(-1)?.body).toMatchObject({
      ...{ title: "Changed", sourceId: "r", type: "OAI-PMH", deliveryMode: "NONE" },
      oai: { metadataPrefix: "oai_dc", reconcileBy: "identifiers", slice: "year" },
    });
  });
});
