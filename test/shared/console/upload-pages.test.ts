import { describe, expect, it } from "vitest";
import { uploadPages } from "../../../shared/harvest/pages/upload.ts";
import { bodyOf, consoleRequest } from "./console-request.ts";

function pageAt(method: string, path: string) {
  const page = uploadPages.find((each) => each.method === method && each.path === path);
  if (page === undefined) throw new Error(`there is no page ${method} ${path}`);
  return page;
}

const upload = {
  uploadId: "u1",
  sourceId: "theses",
  content: "marcxml",
  status: "done",
  createdAt: "2026-11-20T18:00:00.000Z",
};
const counts = {
  documents: 5,
  files: 0,
  refused: 1,
  byOutcome: { new: 2, opened: 1, deleted: 0, unchanged: 1, refused: 1 },
};

function show(answer: object) {
  const outcomes = [
    { type: "document", name: "r<4>", outcome: "refused", reason: "record 4 at line 9: undefined entity." },
  ];
  const answers = { "GET /documents/uploads/u1": { ...upload, counts, outcomes, ...answer } };
  return pageAt("GET", "/console/uploads/{id}").answer(
    consoleRequest("/console/uploads/u1", { answers, params: { id: "u1" } }),
  );
}

describe("the page of an upload", () => {
  it("a dry run that is done → its figures, the refused with their reasons, and Store", async () => {
    const body = await bodyOf(await show({ dryRun: true }));
    expect(body).toContain("Preview of an upload");
    expect(body).toMatch(
      /Records<\/dt><dd>5<.*New<\/dt><dd>2<.*Changed<\/dt><dd>1<.*Unchanged<\/dt><dd>1<.*Refused<\/dt><dd>1</s,
    );
    expect(body).toContain("r&lt;4&gt;");
    expect(body).toContain("record 4 at line 9: undefined entity.");
    expect(body).toContain('value="confirm"');
    expect(body).not.toContain('value="cancel"');
  });

  it("one that is read, or stored → can be cancelled, or neither", async () => {
    const running = await show({ status: "received", outcomes: undefined });
    expect(running).toMatchObject({ live: true });
    expect(await bodyOf(running)).toContain('value="cancel"');
    const stored = await bodyOf(await show({}));
    expect(stored).not.toMatch(/value="(?:cancel|confirm)"/);
  });

  it.each(["complete", "confirm", "cancel"])("%s → the API is asked to", async (deed) => {
    const answers = { [`POST /documents/uploads/u1/${deed}`]: { ...upload } };
    const request = consoleRequest("/console/uploads/u1", { answers, params: { id: "u1" }, form: { deed } });
    expect(await pageAt("POST", "/console/uploads/{id}").answer(request)).toEqual({
      redirect: "/console/uploads/u1",
    });
    expect(request.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `POST /documents/uploads/u1/${deed}`,
    ]);
  });
});

it("a new upload → a dry run, with the command that sends the file", async () => {
  const files = [{ name: "marcxml", url: "https://store.example/put" }];
  const started = { ...upload, status: "waiting", files, expiresAt: "2026-11-22T20:30:00.000Z" };
  const request = consoleRequest("/console/sources/theses/upload", {
    answers: { "POST /documents": started },
    params: { id: "theses" },
    form: { content: "iso2709" },
  });
  const body = await bodyOf(await pageAt("POST", "/console/sources/{id}/upload").answer(request));
  expect(body).toContain("curl -T FILE &#39;https://store.example/put&#39;");
  expect(request.calls).toMatchObject([
    { path: "/documents?dryRun=true", body: { sourceId: "theses", content: "iso2709" } },
  ]);
});
