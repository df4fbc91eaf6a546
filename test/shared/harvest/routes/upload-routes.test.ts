import { describe, expect, it } from "vitest";
import { uploadSubject } from "../../../../shared/harvest/routes/upload-routes.ts";
import type { Upload, UploadedDocument, UploadOutcome } from "../../../../shared/harvest/uploads/upload.ts";
import { source } from "../../../../shared/records/sources/source.ts";
import { serve } from "../../api/serve.ts";
import { MemoryPorts } from "../../memory-ports.ts";
import { fileOf } from "../uploads/raw-zip.ts";

function world() {
  const ports = new MemoryPorts();
  for (const [sourceId, type] of [
    ["theses", "UPLOAD"],
    ["feed", "RSS"],
  ]) {
    const value = { sourceId, title: "S", type, url: "https://s.example/", groupId: "G" };
    ports.sourcesById.set(String(sourceId), source.parse(value));
  }
  const uploads = new Map<string, Upload>();
  const sent: string[] = [];
  const outcomes: UploadOutcome[] = [0, 1, 2].map((place) => ({
    type: "document",
    name: String(place),
    outcome: "new",
  }));
  const saved: UploadedDocument[] = [];
  const app = serve([uploadSubject], {
    sources: ports.sources,
    items: ports.items,
    clock: ports.clock,
    newId: () => "u1",
    uploads: {
      create: async (upload) => void uploads.set(upload.uploadId, upload),
      get: async (id) => uploads.get(id),
      change: async (id, from, change) => {
        const upload = uploads.get(id);
        if (upload === undefined || !from.includes(upload.state)) return false;
        uploads.set(id, { ...upload, ...change });
        return true;
      },
      advance: async () => false,
      confirm: async (id, receivedAt) => {
        const known = uploads.get(id);
        if (!known?.dryRun || known.state !== "done") return false;
        const { dryRun: _, doneAt: _doneAt, progress: _progress, ...upload } = known;
        uploads.set(id, { ...upload, state: "received", receivedAt });
        return true;
      },
      keepListing: async (_id, key) => key,
    },
    uploadObjects: {
      saveDocuments: async (_id, documents) => void saved.push(...documents),
      loadDocuments: async () => saved,
      file: async () => undefined,
      downloaded: () => fileOf(Buffer.alloc(0)),
      saveListing: async () => "",
      loadListing: async () => [],
      saveOutcomes: async () => "",
      loadOutcomes: async (key) => (key === "first" ? outcomes.slice(0, 1) : outcomes.slice(1)),
    },
    documentUploads: { send: async ({ uploadId }) => void sent.push(uploadId) },
    fileUrls: {
      uploadSeconds: 3600,
      upload: async (uploadId, fileId) => `https://uploads.example/${uploadId}/${fileId}`,
      download: async (key) => `https://files.example/${key}`,
    },
  });
  const post = async (path: string, body?: unknown) => {
    const headers = { "content-type": "application/json" };
    const answer = await app.request(path, {
      method: "POST",
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  };
  return { app, post, uploads, sent, saved };
}

const document = { identifier: "a", format: "mods", metadata: "<mods/>" };
const started = (documents: unknown[], sourceId = "theses") => ({
  sourceId,
  content: "documents",
  documents,
});

describe("POST /documents", () => {
  it("with files → a URL for each; read when it is complete, and again when that is repeated", async () => {
    const { app, post, sent } = world();
    const files = [{ name: "a.pdf" }, { name: "b.pdf" }];
    const answer = await post("/documents", started([{ ...document, files }]));
    expect(answer.status).toBe(202);
    expect(answer.headers.get("location")).toBe("/documents/uploads/u1");
    expect(answer.body).toMatchObject({
      status: "waiting",
      result: "/documents/uploads/u1",
      files: [
        { name: "a.pdf", url: "https://uploads.example/u1/0" },
        { name: "b.pdf", url: "https://uploads.example/u1/1" },
      ],
      expiresAt: "2026-11-20T20:00:00.000Z",
    });
    expect((await app.request("/documents/uploads/u1")).status).toBe(202);
    expect(sent).toEqual([]);
    for (const times of [1, 2]) {
      expect((await post("/documents/uploads/u1/complete")).body).toMatchObject({ status: "received" });
      expect(sent).toHaveLength(times);
    }
  });

  it("without files → read at once", async () => {
    const { post, sent, saved } = world();
    expect((await post("/documents", started([document]))).body).toMatchObject({
      status: "received",
      files: [],
    });
    expect([sent, saved.length]).toEqual([["u1"], 1]);
  });

  it.each<[string, unknown, RegExp]>([
    ["an unknown source", started([document], "none"), /sourceId: there is no such source/],
    ["a source of another type", started([document], "feed"), /sourceId: is of the type RSS/],
    ["one identifier twice", started([document, document]), /documents.1.identifier: an earlier/],
    ["an unknown format", started([{ ...document, format: "pdf" }]), /documents.0.format: /],
    ["no identifier", started([{ ...document, identifier: "" }]), /documents.0.identifier: /],
    ["no documents", started([]), /documents: /],
    ["an unknown content", { sourceId: "theses", content: "tar" }, /content: /],
    [
      "too many files",
      started(
        [1, 2, 3].map((number) => ({
          ...document,
          identifier: String(number),
          files: Array.from({ length: 200 }, (_, place) => ({ name: `${place}.pdf` })),
        })),
      ),
      /more than 500 files/,
    ],
  ])("%s → 400 that names it, and nothing is stored", async (_what, body, error) => {
    const { post, uploads } = world();
    expect(await post("/documents", body)).toMatchObject({
      status: 400,
      body: expect.objectContaining({ detail: expect.stringMatching(error) }),
    });
    expect(uploads.size).toBe(0);
  });
});

describe("GET /documents/uploads/{id}", () => {
  it("a read one → its outcomes in pages", async () => {
    const { app, post, uploads } = world();
    await post("/documents", { sourceId: "theses", content: "zip" });
    const upload = uploads.get("u1") as Upload;
    const doneAt = "2026-11-20T19:01:00.000Z";
    const parts = [
      { key: "first", outcomes: 1 },
      { key: "second", outcomes: 2 },
    ];
    const byOutcome = { new: 2, opened: 0, deleted: 0, unchanged: 0, refused: 1 };
    const counts = { documents: 3, files: 0, refused: 0, byOutcome };
    uploads.set("u1", { ...upload, state: "done", doneAt, progress: { parts, counts } });
    const first = await (await app.request("/documents/uploads/u1?limit=2")).json();
    expect(first).toMatchObject({
      status: "done",
      outcomes: [{ name: "0" }, { name: "1" }],
      next: "2",
      counts,
    });
    const last = await (await app.request("/documents/uploads/u1?limit=2&after=2")).json();
    expect(last).toMatchObject({ outcomes: [{ name: "2" }] });
    expect(last).not.toHaveProperty("next");
    const changed = await (await app.request("/documents/uploads/u1?outcome=opened")).json();
    expect(changed).toMatchObject({ outcomes: [] });
    expect(changed).not.toHaveProperty("next");
    const created = await (await app.request("/documents/uploads/u1?outcome=new&limit=1&after=1")).json();
    expect(created).toMatchObject({ outcomes: [{ name: "1" }], next: "2" });
  });

  it("an unknown one → 404", async () => {
    const { app, post } = world();
    expect((await app.request("/documents/uploads/none")).status).toBe(404);
    expect((await post("/documents/uploads/none/complete")).status).toBe(404);
  });
});

describe("a dry run", () => {
  it("is started, confirmed when it is done, and confirmed again → read in earnest, once", async () => {
    const { post, uploads, sent } = world();
    await post("/documents?dryRun=true", { sourceId: "theses", content: "marcxml" });
    expect(uploads.get("u1")).toMatchObject({ state: "waiting", dryRun: true });
    const early = await post("/documents/uploads/u1/confirm");
    expect([early.status, (early.body as { detail: string }).detail]).toEqual([
      409,
      "the dry run of upload u1 is waiting, not done",
    ]);
    await post("/documents/uploads/u1/complete");
    uploads.set("u1", { ...(uploads.get("u1") as Upload), state: "done" });
    for (let time = 0; time < 2; time++) {
      expect((await post("/documents/uploads/u1/confirm")).status).toBe(202);
      expect(uploads.get("u1")).toMatchObject({ state: "received" });
      expect(uploads.get("u1")).not.toHaveProperty("dryRun");
    }
    expect(sent).toEqual(["u1", "u1", "u1"]);
    expect((await post("/documents/uploads/none/confirm")).status).toBe(404);
  });
});

describe("POST /documents/uploads/{id}/cancel", () => {
  it("one that waits, again, and one that is done → cancelled twice, then refused", async () => {
    const { app, post, uploads, sent } = world();
    await post("/documents", { sourceId: "theses", content: "marcxml" });
    for (let time = 0; time < 2; time++) {
      const answer = await post("/documents/uploads/u1/cancel");
      expect([answer.status, answer.body]).toMatchObject([
        200,
        { status: "cancelled", problem: "it was cancelled" },
      ]);
    }
    expect(sent).toEqual(["u1", "u1"]);
    expect((await post("/documents/uploads/u1/complete")).status).toBe(202);
    expect(sent).toEqual(["u1", "u1"]);
    expect((await app.request("/documents/uploads/u1")).status).toBe(200);
    uploads.set("u1", { ...(uploads.get("u1") as Upload), state: "done" });
    expect((await post("/documents/uploads/u1/cancel")).status).toBe(409);
    expect((await post("/documents/uploads/none/cancel")).status).toBe(404);
  });
});
