import { describe, expect, it } from "vitest";
import type { Document, ListedDocument } from "../../../../shared/records/documents/document.ts";
import { type DocumentPage, keepDocuments } from "../../../../shared/records/documents/keep-documents.ts";
import { deleteUnlisted, isMarked, surveyListed } from "../../../../shared/records/documents/reconcile.ts";
import { Killed } from "../../memory/writes.ts";
import { MemoryPorts } from "../../memory-ports.ts";

const listed = (id: string, more: Partial<ListedDocument> = {}): ListedDocument => ({
  identifier: [id],
  datestamp: "2026-11-01",
  title: `Title of ${id}`,
  content: { raw: `<dc>${id}</dc>`, mediaType: "application/xml", format: "oai_dc", metadata: { id } },
  ...more,
});

const page = (documents: ListedDocument[], more: Partial<DocumentPage> = {}): DocumentPage => ({
  sourceId: "s",
  listedAt: "2026-11-20T19:00:00.000Z",
  documents,
  ...more,
});

class World extends MemoryPorts {
  readonly fileRequests: [string, string[]][] = [];
  async requestFiles({ identifier }: Document, { urls }: { urls: string[] }) {
    this.fileRequests.push([identifier[0], urls]);
  }
  get types(): string[] {
    return this.published.map(({ type, detail }) => `${type} ${detail.identifier} ${detail.version}`);
  }
}

const outcomes = async (kept: Promise<{ outcome: string }[]>) => (await kept).map(({ outcome }) => outcome);

describe("the documents of a page", () => {
  const changes: [string, ListedDocument, string, string[]][] = [
    ["listed again", listed("1"), "unchanged", []],
    ["another datestamp", listed("1", { datestamp: "2026-11-02" }), "opened", ["datestamp"]],
    [
      "other content",
      listed("1", {
        content: { raw: "<dc/>", mediaType: "application/xml", format: "oai_dc", metadata: {} },
      }),
      "opened",
      ["content"],
    ],
    ["another title, same content", listed("1", { title: "X" }), "unchanged", []],
  ];
  it.each(changes)("%s → %s", async (_name, again, outcome, parts) => {
    const world = new World();
    expect(await outcomes(keepDocuments(page([listed("1")]), world))).toEqual(["new"]);
    expect(
      await outcomes(keepDocuments(page([again], { listedAt: "2026-11-21T19:00:00.000Z" }), world)),
    ).toEqual([outcome]);
    expect(world.types).toEqual([
      "document.new 1 1",
      ...(outcome === "opened" ? ["document.opened 1 2"] : []),
    ]);
    if (parts.length > 0) expect(world.published[1]?.detail.changes).toEqual(parts);
  });

  it.each([
    ["on the 30th day → opened", listed("1"), "2026-12-21T19:00:00.000Z", "opened", ["state"]],
    [
      "on the 30th day with other content → opened",
      listed("1", {
        content: { raw: "<dc/>", mediaType: "application/xml", format: "oai_dc", metadata: {} },
      }),
      "2026-12-21T19:00:00.000Z",
      "opened",
      ["state", "content"],
    ],
    ["later → new", listed("1"), "2026-12-21T19:00:00.001Z", "new", undefined],
  ] as const)("deleted, and back %s, with its versions", async (_, again, listedAt, type, changes) => {
    const world = new World();
    await keepDocuments(page([listed("1")]), world);
    const gone = { identifier: ["1"] as const, isDeleted: true };
    await keepDocuments(page([gone], { listedAt: "2026-11-21T19:00:00.000Z" }), world);
    expect(await outcomes(keepDocuments(page([again], { listedAt }), world))).toEqual([type]);
    expect(world.types.at(-1)).toBe(`document.${type} 1 3`);
    expect(world.published.at(-1)?.detail.changes).toEqual(changes);
    const [document] = [...world.documentsByKey.values()];
    expect(document).toMatchObject({ state: "present", firstListedAt: "2026-11-20T19:00:00.000Z" });
    expect(document?.versions.map((version) => [version.type, version.content !== undefined])).toEqual([
      ["new", true],
      ["deleted", false],
      [type, true],
    ]);
  });

  it("a tombstone of a document that was never there, then listed → new", async () => {
    const world = new World();
    await keepDocuments(page([{ identifier: ["1"], isDeleted: true }]), world);
    await keepDocuments(page([listed("1")], { listedAt: "2026-11-21T19:00:00.000Z" }), world);
    expect(world.types).toEqual(["document.deleted 1 1", "document.new 1 2"]);
  });

  it("deleted, deleted again, and back → a tombstone, one event, and opened", async () => {
    const world = new World();
    const gone: ListedDocument = { identifier: ["1"], datestamp: "2026-11-02", isDeleted: true };
    await keepDocuments(page([listed("1")]), world);
    await keepDocuments(page([gone], { listedAt: "2026-11-21T19:00:00.000Z" }), world);
    await keepDocuments(page([gone], { listedAt: "2026-11-22T19:00:00.000Z" }), world);
    const [tombstone] = [...world.documentsByKey.values()];
    expect(tombstone).toMatchObject({ state: "deleted", title: "Title of 1" });
    expect(tombstone?.versions.map(({ type, content }) => [type, content !== undefined])).toEqual([
      ["new", true],
      ["deleted", false],
    ]);
    await keepDocuments(page([listed("1")], { listedAt: "2026-11-23T19:00:00.000Z" }), world);
    expect(world.types).toEqual(["document.new 1 1", "document.deleted 1 2", "document.opened 1 3"]);
  });

  it("a page that is older than the last change → changes nothing", async () => {
    const world = new World();
    await keepDocuments(page([listed("1", { datestamp: "2026-11-02" })]), world);
    const late = page([listed("1")], { listedAt: "2026-11-19T19:00:00.000Z" });
    expect(await outcomes(keepDocuments(late, world))).toEqual(["unchanged"]);
  });

  it("listed twice on one page → the latest datestamp counts, once", async () => {
    const world = new World();
    const twice = [listed("1", { datestamp: "2026-11-02", title: "Latest" }), listed("1")];
    expect(await outcomes(keepDocuments(page(twice), world))).toEqual(["new"]);
    expect([...world.documentsByKey.values()][0]).toMatchObject({ title: "Latest" });
  });

  it("a document without identifier or content → refused with a reason, the others are kept", async () => {
    const world = new World();
    const { content: _none, ...empty } = listed("2");
    const kept = await keepDocuments(page([listed(" "), listed("1"), empty]), world);
    expect(kept.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ["new", undefined],
      ["refused", "identifier: is empty"],
      ["refused", "content: is missing, and the document is not deleted"],
    ]);
  });

  it("500 documents → one object of contents, and two writes of each item", async () => {
    const world = new World();
    let writes = 0;
    const { save, saveContents } = world.documents;
    world.documents.save = (document) => {
      writes += 1;
      return save(document);
    };
    let objects = 0;
    world.documents.saveContents = (...given) => {
      objects += 1;
      return saveContents(...given);
    };
    const documents = Array.from({ length: 500 }, (_, index) => listed(`id-${index}`));
    await keepDocuments(page(documents), world);
    expect([objects, writes, world.published.length]).toEqual([1, 1000, 500]);
    await keepDocuments(page(documents), world);
    expect([objects, writes, world.published.length]).toEqual([1, 1000, 500]);
  });

  it("killed at any write, before or after it → repeated until done: each change once by its id, in order, and no effect left", async () => {
    for (const before of [true, false]) {
      for (let writes = 0; writes < 14; writes += 1) {
        const world = new World();
        const files = (id: string, datestamp: string) =>
          listed(id, { datestamp, fileUrls: [`https://s.example/${id}.pdf`] });
        const first = page([files("1", "2026-11-01"), files("2", "2026-11-01")]);
        const second = page([files("1", "2026-11-02"), files("2", "2026-11-01")], {
          listedAt: "2026-11-21T19:00:00.000Z",
        });
        world.dieAfter(writes, { before });
        for (const work of [first, second, first, second]) {
          await keepDocuments(work, world).catch((error: unknown) => {
            if (!(error instanceof Killed)) throw error;
            world.live();
            return keepDocuments(work, world);
          });
        }
        const ids = [...new Set(world.types)];
        expect(ids.filter((type) => type.includes(" 1 "))).toEqual([
          "document.new 1 1",
          "document.opened 1 2",
        ]);
        expect(ids.filter((type) => type.includes(" 2 "))).toEqual(["document.new 2 1"]);
        expect(new Set(world.published.map(({ changeId }) => changeId)).size).toBe(3);
        expect(new Set(world.fileRequests.map(([id]) => id))).toEqual(new Set(["1", "2"]));
        expect([...world.documentsByKey.values()].flatMap(({ outbox }) => outbox)).toEqual([]);
      }
    }
  });

  it("changed again before its event is published → each event says what the document was then", async () => {
    const world = new World();
    const { publish } = world.events;
    const fails = async () => {
      throw new Error("the bus is down");
    };
    world.events.publish = fails;
    const later = { listedAt: "2026-11-21T19:00:00.000Z" };
    const again = page([listed("1", { title: "Other", datestamp: "2026-11-02" })], later);
    await expect(keepDocuments(page([listed("1")]), world)).rejects.toThrow("the bus is down");
    await expect(keepDocuments(again, world)).rejects.toThrow("the bus is down");
    world.events.publish = publish;
    await keepDocuments(again, world);
    expect(world.published.map(({ type, changeId, detail }) => [type, changeId.slice(-2), detail])).toEqual([
      [
        "document.new",
        "/1",
        expect.objectContaining({ title: "Title of 1", datestamp: "2026-11-01", version: 1 }),
      ],
      [
        "document.opened",
        "/2",
        expect.objectContaining({
          title: "Other",
          datestamp: "2026-11-02",
          changes: ["datestamp"],
          version: 2,
        }),
      ],
    ]);
  });

  it("written by two readers at once → one change, published by its id", async () => {
    const world = new World();
    const work = page([listed("1")]);
    await Promise.all([keepDocuments(work, world), keepDocuments(work, world)]);
    expect(new Set(world.types)).toEqual(new Set(["document.new 1 1"]));
    expect([...world.documentsByKey.values()][0]?.versions).toHaveLength(1);
  });
});

describe("a full harvest", () => {
  it("a document that it has not listed → a tombstone, once; what it has listed stays", async () => {
    const world = new World();
    await keepDocuments(page([listed("1"), listed("2"), listed("3")], { harvestId: "h1" }), world);
    const full = { harvestId: "h2", listedAt: "2026-11-21T19:00:00.000Z" };
    await keepDocuments(page([listed("1"), listed("3", { datestamp: "2026-11-20" })], full), world);
    const list = { isListed: isMarked("h2"), listedAt: full.listedAt };
    const { value } = await surveyListed("s", { ...list, maxExamples: 5 }, world).next();
    expect(value.survey).toEqual({
      ...{ present: 3, absent: 1, newlyAbsent: 0 },
      examples: ["2"],
      absentDigest: expect.stringMatching(/^.+$/),
      waits: { "": 1 },
    });
    for (const _time of [1, 2])
      for await (const _page of deleteUnlisted("s", { ...list, wasListed: isMarked("h0") }, world));
    expect(world.types.filter((type) => type.startsWith("document.deleted"))).toEqual([
      "document.deleted 2 2",
    ]);
  });
});
