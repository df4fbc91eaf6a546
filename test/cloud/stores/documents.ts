import { describe, expect, it } from "vitest";
import type { Document, DocumentContent } from "../../../shared/records/documents/document.ts";
import { keepDocuments } from "../../../shared/records/documents/keep-documents.ts";
import type { DomainEvent } from "../../../shared/records/events/events.ts";
import { type StoreTest, time } from "./world.ts";

/** What the store of documents promises. */
export function documentCases(world: StoreTest): void {
  describe("documents", () => {
    const documents = () => world.stores.documents;
    const sourceId = () => `source-${world.id}`;
    const document = (documentId: string, more: Partial<Document> = {}): Document => ({
      sourceId: sourceId(),
      documentId,
      identifier: [`oai:x:${documentId}`],
      state: "present",
      title: documentId,
      versions: [{ version: 1, type: "new", at: time(1), datestamp: "2026-11-01", hash: "h" }],
      firstListedAt: time(1),
      changedAt: time(1),
      outbox: [],
      revision: 1,
      ...more,
    });
    const content = (raw: string): DocumentContent => ({
      raw,
      mediaType: "application/xml",
      format: "oai_dc",
      metadata: { title: [raw] },
    });

    it("saved → read as it is; on another revision → not saved", async () => {
      const first = document("a", { listedIn: "h1", sets: ["x"] });
      expect(await documents().save(first)).toBe(true);
      expect(await documents().save(first)).toBe(false);
      expect(await documents().getMany(sourceId(), ["a", "b"])).toEqual([first]);
      const second = document("a", { revision: 2, title: "Second" });
      expect(await documents().save(second)).toBe(true);
      expect(await documents().save(second)).toBe(false);
      expect(await documents().save(document("a", { revision: 4 }))).toBe(false);
      expect(await documents().getMany(sourceId(), ["a"])).toEqual([second]);
      expect(await documents().getMany(sourceId(), [])).toEqual([]);
    });

    it("marked as listed → a write on the revision before is refused; an unknown one is not created", async () => {
      await documents().save(document("a"));
      await documents().markListed(
        { sourceId: sourceId(), documentId: "a" },
        { listedIn: "h2", listedOn: "l 0 0 1" },
      );
      const isRefused = await documents().save(document("a", { revision: 2 }));
      expect(isRefused).toBe(false);
      await documents().markListed({ sourceId: sourceId(), documentId: "a" }, { askedIn: "h3" });
      const [marked] = await documents().getMany(sourceId(), ["a"]);
      const marks = { listedIn: "h2", listedOn: "l 0 0 1", askedIn: "h3" };
      expect(marked).toMatchObject({ ...marks, revision: 3, title: "a" });
      await documents().markListed({ sourceId: sourceId(), documentId: "none" }, { listedOn: "l 0 0 1" });
      expect(await documents().getMany(sourceId(), ["none"])).toEqual([]);
    });

    it("deleted, and listed again → opened, with its versions and their contents", async () => {
      const published: unknown[] = [];
      const events = {
        publish: async ({ type, detail }: DomainEvent) => void published.push([type, detail.changes]),
      };
      const ports = { documents: documents(), events, requestFiles: async () => {} };
      const listed = { identifier: ["oai:x:1"] as const, content: content("<a/>") };
      for (const [hour, one] of [
        listed,
        { identifier: listed.identifier, isDeleted: true },
        listed,
      ].entries())
        await keepDocuments({ sourceId: sourceId(), listedAt: time(hour), documents: [one] }, ports);
      const { documents: kept } = await documents().list(sourceId(), { limit: 9 });
      expect(kept).toMatchObject([{ state: "present", outbox: [], firstListedAt: time(0) }]);
      const [first, , last] = kept[0]?.versions ?? [];
      for (const version of [first, last])
        expect(version?.content && (await documents().loadContent(version.content))).toEqual(content("<a/>"));
      expect(published).toEqual([
        ["document.new", undefined],
        ["document.deleted", undefined],
        ["document.opened", ["state"]],
      ]);
    });

    it("counted → those that are not deleted, of this source", async () => {
      const deleted = { state: "deleted" as const };
      for (const each of [document("a"), document("b"), document("c", deleted)]) await documents().save(each);
      await documents().save(document("d", { sourceId: `${sourceId()}-other` }));
      expect(await documents().countPresent(sourceId())).toBe(2);
      expect(await documents().countPresent(`${sourceId()}-none`)).toBe(0);
    });

    it("contents of one page → each loaded by its location, in any script", async () => {
      const contents = ["<a>\u00e4\u4e2d\ud83d\ude00</a>", "", "<b/>"].map(content);
      const locations = await documents().saveContents(sourceId(), contents);
      for (const [index, location] of locations.entries()) {
        expect(await documents().loadContent(location)).toEqual(contents[index]);
      }
    });

    it("listed in parts → each once, by id or last change first", async () => {
      for (const [day, id] of ["a", "b", "c"].entries()) {
        await documents().save(document(id, { changedAt: time(10 - day) }));
      }
      const first = await documents().list(sourceId(), { limit: 2 });
      expect(first.documents.map(({ documentId }) => documentId)).toEqual(["a", "b"]);
      const rest = await documents().list(sourceId(), { limit: 2, after: first.next ?? "" });
      expect(rest.documents.map(({ documentId }) => documentId)).toEqual(["c"]);
      expect(rest.next).toBeUndefined();
      const changed = await documents().listByChange(sourceId(), { limit: 2 });
      expect(changed.documents).toEqual(
        ["a", "b"].map((id, day) => ({
          sourceId: sourceId(),
          documentId: id,
          identifier: [`oai:x:${id}`],
          state: "present",
          title: id,
          firstListedAt: time(1),
          changedAt: time(10 - day),
        })),
      );
      const { next } = changed;
      const older = await documents().listByChange(sourceId(), { limit: 2, ...(next && { after: next }) });
      expect(older.documents.map(({ documentId }) => documentId)).toEqual(["c"]);
    });

    it("with pending effects → listed when older than a time; without → no longer", async () => {
      const files = { type: "files" as const, version: 1, urls: ["https://s.example/1"] };
      const waiting = document("p", { outbox: [files], pendingSince: time(2) });
      await documents().save(waiting);
      const mine = async (before: string) =>
        (await documents().listPending(before, 1000)).filter((key) => key.sourceId === sourceId());
      expect(await mine(time(2))).toEqual([]);
      expect(await mine(time(3))).toEqual([{ sourceId: sourceId(), documentId: "p" }]);
      await documents().save(document("p", { revision: 2 }));
      expect(await mine(time(3))).toEqual([]);
    });
  });
}
