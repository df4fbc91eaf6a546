import { describe, expect, it } from "vitest";
import { changeItem } from "../../../../shared/harvest/items/item.ts";
import { documentSubject } from "../../../../shared/harvest/routes/document-routes.ts";
import { recordIdOf } from "../../../../shared/records/documents/document-identity.ts";
import { keepDocuments } from "../../../../shared/records/documents/keep-documents.ts";
import { serve } from "../../api/serve.ts";
import { MemoryPorts } from "../../memory-ports.ts";

async function world() {
  const fileUrls = { download: async (key: string) => `https://files.example/${key}` };
  const ports = Object.assign(new MemoryPorts(), { fileUrls });
  const keep = { ...ports, documents: ports.documents, events: ports.events, requestFiles: async () => {} };
  for (const [day, id] of ["a", "b", "c"].entries()) {
    const content = {
      raw: `<dc>${id}</dc>`,
      mediaType: "application/xml",
      format: "oai_dc",
      metadata: { id },
    };
    const listed = { identifier: [`oai:x:${id}`] as const, datestamp: "2026-11-01", title: id, content };
    const listedAt = `2026-11-1${day}T00:00:00.000Z`;
    await keepDocuments({ sourceId: "s", listedAt, documents: [listed] }, keep);
  }
  return ports;
}

const idOf = (id: string) => recordIdOf({ sourceId: "s", identifier: [`oai:x:${id}`] });

describe("the documents of a source", () => {
  it("listed in pages → the last changed one first, each once", async () => {
    const app = serve([documentSubject], await world());
    const answer = await app.request("/sources/s/documents?limit=2");
    const first = (await answer.json()) as { documents: { title: string }[]; next: string };
    expect(first.documents.map(({ title }) => title)).toEqual(["c", "b"]);
    expect(first.documents[0]).toMatchObject({
      documentId: idOf("c"),
      identifier: "oai:x:c",
      state: "present",
    });
    const rest = await (
      await app.request(`/sources/s/documents?limit=2&after=${encodeURIComponent(first.next)}`)
    ).json();
    expect(rest).toEqual({ documents: [expect.objectContaining({ title: "a" })] });
    expect(await (await app.request("/sources/other/documents")).json()).toEqual({ documents: [] });
  });

  it("an invalid `after` → 400 that names it", async () => {
    const response = await serve([documentSubject], await world()).request("/sources/s/documents?after=x");
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual(
      expect.objectContaining({ detail: expect.stringContaining("after") }),
    );
  });

  it("one → its versions and files, and its metadata", async () => {
    const ports = await world();
    const file = { key: "k", contentType: "application/pdf", sizeBytes: 3, sha256: "0".repeat(64) };
    const item = {
      sourceId: "s",
      documentId: idOf("a"),
      itemId: "i",
      url: "https://r.example/a.pdf",
      state: "refused" as const,
      documentVersion: 1,
      versions: [],
      outbox: [],
      revision: 1,
    };
    await ports.items.save(changeItem(item, { type: "new", at: "2026-11-20T00:00:00.000Z", file }));
    const app = serve([documentSubject], ports);
    expect(await (await app.request(`/sources/s/documents/${idOf("a")}`)).json()).toEqual({
      sourceId: "s",
      documentId: idOf("a"),
      identifier: "oai:x:a",
      state: "present",
      title: "a",
      firstListedAt: "2026-11-10T00:00:00.000Z",
      changedAt: "2026-11-10T00:00:00.000Z",
      datestamp: "2026-11-01",
      versions: [{ version: 1, type: "new", at: "2026-11-10T00:00:00.000Z", datestamp: "2026-11-01" }],
      items: [
        {
          itemId: "i",
          url: "https://r.example/a.pdf",
          state: "present",
          contentType: "application/pdf",
          sizeBytes: 3,
          sha256: "0".repeat(64),
          versions: [{ version: 1, type: "new", at: "2026-11-20T00:00:00.000Z" }],
        },
      ],
    });
    expect(await (await app.request(`/sources/s/documents/${idOf("a")}/content`)).json()).toEqual({
      version: 1,
      format: "oai_dc",
      mediaType: "application/xml",
      raw: "<dc>a</dc>",
      metadata: { id: "a" },
    });
    const fileOfItem = await app.request(`/sources/s/documents/${idOf("a")}/items/i/file`);
    expect([fileOfItem.status, fileOfItem.headers.get("location")]).toEqual([302, "https://files.example/k"]);
    // The item is another source's.
    expect((await app.request(`/sources/other/documents/${idOf("a")}/items/i/file`)).status).toBe(404);
    for (const path of ["none", "none/content", "none/items/i/file"]) {
      expect((await app.request(`/sources/s/documents/${path}`)).status).toBe(404);
    }
  });
});
