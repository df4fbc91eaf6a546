import { Readable } from "node:stream";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { decideDeletions } from "../../../../shared/harvest/oai/decide-deletions.ts";
import { readUpload } from "../../../../shared/harvest/upload/read-upload.ts";
import type { ReadUploadPorts } from "../../../../shared/harvest/upload/upload-reading.ts";
import type { FolderFile } from "../../../../shared/harvest/uploads/folder.ts";
import type {
  Upload,
  UploadContent,
  UploadedDocument,
  UploadOutcome,
} from "../../../../shared/harvest/uploads/upload.ts";
import { drainOutboxes } from "../../../../shared/records/documents/drain-outbox.ts";
import { source } from "../../../../shared/records/sources/source.ts";
import { Killed } from "../../memory/writes.ts";
import { MemoryPorts } from "../../memory-ports.ts";
import { fileOf, type RawEntry, rawZip } from "../uploads/raw-zip.ts";

const uploadId = "u1";
const dc = (title: string) =>
  `<dc xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title><dc:date>2026</dc:date></dc>`;

/** An upload in memory: what it holds, and what has become of it. */
class UploadWorld {
  readonly ports = new MemoryPorts();
  readonly sent = new Map<string, Buffer>();
  readonly stored = new Map<string, Buffer>();
  readonly listings = new Map<string, FolderFile[]>();
  /** The files of the folder; undefined: it cannot be listed. */
  folder: FolderFile[] | undefined = [];
  readonly parts = new Map<string, UploadOutcome[]>();
  /** Messages by which reading continues. */
  readonly messages: { uploadId: string; place: number }[] = [];
  /** Done before each batch is stored. */
  meanwhile: () => Promise<void> = async () => {};
  upload: Upload;
  private readonly documents: UploadedDocument[];

  constructor(content: UploadContent, documents: UploadedDocument[] = []) {
    const value = { sourceId: "s", title: "S", type: "UPLOAD", url: "https://s.example/", groupId: "Test" };
    this.ports.sourcesById.set("s", source.parse({ ...value, deliveryMode: "LIVE" }));
    this.ports.addGroup("Test");
    this.documents = documents;
    const names = content === "documents" ? documents.flatMap(({ files }) => files) : [{ name: content }];
    const files = names.map(({ name }, place) => ({ fileId: String(place), name }));
    const at = "2026-11-20T18:00:00.000Z";
    this.upload = {
      uploadId,
      sourceId: "s",
      content,
      state: "received",
      files,
      createdAt: at,
      receivedAt: at,
    };
  }

  read(): Promise<void> {
    const { ports } = this;
    const reading: ReadUploadPorts = {
      sources: ports.sources,
      records: ports.records,
      archive: ports.archive,
      runs: ports.runs,
      items: ports.items,
      events: ports.events,
      clock: ports.clock,
      timeZone: "UTC",
      oaiHarvests: ports.oaiHarvests,
      folders: {
        list: async () => this.folder ?? { problem: "the bucket b cannot be listed" },
        open: async (_place, { name, etag }) => {
          const file = this.folder?.find((each) => each.name === name && each.etag === etag);
          return file && Readable.from([Buffer.from(`${name} ${etag}`)]);
        },
      },
      documentUploads: { send: async (message) => void this.messages.push(message) },
      kept: { documents: ports.documents, events: ports.events, requestFiles: async () => {} },
      uploads: {
        create: async () => {},
        get: async () => this.upload,
        change: async (_id, from, change) => {
          if (!from.includes(this.upload.state)) return false;
          this.upload = { ...this.upload, ...change };
          return true;
        },
        confirm: async () => {
          const { dryRun, progress: _, doneAt: _doneAt, ...upload } = this.upload;
          if (!dryRun) return false;
          this.upload = { ...upload, state: "received" };
          return true;
        },
        keepListing: async (_id, key) => {
          this.upload = { ...this.upload, listing: this.upload.listing ?? key };
          return this.upload.listing ?? key;
        },
        advance: async (_id, before, after) => {
          const { state, progress = { parts: [] } } = this.upload;
          if (state !== "received" || !isDeepStrictEqual(progress.parts, before.parts)) return false;
          this.upload = { ...this.upload, progress: after };
          return true;
        },
      },
      objects: {
        saveDocuments: async () => {},
        loadDocuments: async () => this.documents,
        file: async (_id, fileId) => {
          const bytes = this.sent.get(fileId);
          return bytes && fileOf(bytes);
        },
        downloaded: (bodies) =>
          fileOf(Buffer.concat(bodies.map(({ key }) => this.sent.get(key) ?? Buffer.alloc(0)))),
        saveListing: async (_id, files) => {
          const key = `listing-${this.listings.size}`;
          this.listings.set(key, structuredClone(files));
          return key;
        },
        loadListing: async (key) => this.listings.get(key) ?? [],
        saveOutcomes: async (_id, outcomes) => {
          const key = String(this.parts.size);
          this.parts.set(key, structuredClone(outcomes));
          await this.meanwhile();
          return key;
        },
        loadOutcomes: async (key) => this.parts.get(key) ?? [],
      },
      uploadedFiles: {
        store: async (chunks, { itemId }) => {
          const pieces: Uint8Array[] = [];
          for await (const chunk of chunks) pieces.push(chunk);
          const bytes = Buffer.concat(pieces);
          this.stored.set(itemId, bytes);
          return {
            key: itemId,
            sizeBytes: bytes.length,
            sha256: bytes.toString("hex").padEnd(64, "0").slice(0, 64),
          };
        },
      },
    };
    return readUpload({ uploadId }, reading);
  }

  /** A copy of all that is stored and published, but of the upload itself. */
  everything(): unknown {
    const maps = Object.entries(this.ports).filter(([, value]) => value instanceof Map);
    return structuredClone({ maps, events: this.ports.published, files: this.stored });
  }

  /** Each outcome's record, with the reason why there is none. */
  records(): unknown[] {
    return [...this.parts.values()]
      .flat()
      .map(({ name, record, recordReason }) => [name, record, recordReason]);
  }

  /** Each outcome in one line. */
  summary(): string[] {
    const parts = this.upload.progress?.parts ?? [];
    return parts
      .flatMap(({ key }) => this.parts.get(key) ?? [])
      .map(({ name, outcome, reason = "", record = "" }) =>
        [name, outcome, record, reason].filter(Boolean).join(" · "),
      );
  }
}

const documents: UploadedDocument[] = [
  { identifier: "a", format: "oai_dc", metadata: dc("On tides"), files: [{ name: "a.txt" }] },
  { identifier: "b", format: "oai_dc", metadata: "<broken>", files: [{ name: "b.txt" }] },
  { identifier: "c", format: "oai_dc", metadata: dc(""), files: [] },
];

describe("an upload of documents", () => {
  it("killed at any write, and read again → each document, file and event once, and one record for the delivery", async () => {
    for (let writes = 0, isDone = false; !isDone; writes += 1) {
      for (const before of [true, false]) {
        const world = new UploadWorld("documents", documents);
        world.sent.set("0", Buffer.from("a text"));
        world.sent.set("1", Buffer.from("b text"));
        world.ports.dieAfter(writes, { before });
        isDone = await world.read().then(
          () => true,
          (error) => {
            if (!(error instanceof Killed)) throw error;
            return false;
          },
        );
        world.ports.live();
        await world.read();
        await world.read();
        const events = new Set(world.ports.published.map(({ type, changeId }) => `${type} ${changeId}`));
        expect([...events].map((event) => event.split(" ")[0]).toSorted()).toEqual([
          "document.new",
          "document.new",
          "item.new",
        ]);
        expect([...world.ports.resolvedPages.values()].flat().map(({ state }) => state)).toEqual([
          "converted",
          "dropped",
        ]);
        expect([...world.ports.runsById.values()].map(({ state }) => state)).toEqual(["delivering"]);
        expect(world.stored.size).toBe(1);
        expect(world.upload.state).toBe("done");
      }
    }
  });

  it("each with its outcome → a bad one refuses its files, and no other", async () => {
    const world = new UploadWorld("documents", documents);
    world.sent.set("0", Buffer.from("a text"));
    await world.read();
    expect(world.summary()).toEqual([
      "a · new · converted",
      "a.txt · new",
      expect.stringMatching(/^b · refused · metadata: /),
      "b.txt · refused · its document is refused",
      "c · new · dropped",
    ]);
  });

  it("its source was removed meanwhile → a problem of the upload", async () => {
    const world = new UploadWorld("documents", documents);
    world.ports.sourcesById.clear();
    await world.read();
    expect(world.upload).toMatchObject({ state: "done", problem: "source s is no longer configured" });
  });
});

const entry = (name: string, content: string): RawEntry => ({ name, content });
const one = { identifier: "a", format: "oai_dc", metadata: "a.xml" };
const manifests: [what: string, manifest: unknown, more: RawEntry[], summary: (string | RegExp)[]][] = [
  ["a document", { documents: [one] }, [entry("a.xml", dc("On tides"))], ["a · new · converted"]],
  [
    "metadata that are absent",
    { documents: [one] },
    [],
    [/^a · refused · a.xml: it is missing from the archive/],
  ],
  [
    "metadata in a refused entry",
    { documents: [{ ...one, metadata: "../a.xml" }] },
    [entry("../a.xml", dc("x"))],
    [/^..\/a.xml · refused · its name leads out/, /^a · refused · ..\/a.xml: its name leads out/],
  ],
  [
    "metadata that are not UTF-8",
    { documents: [one] },
    [{ name: "a.xml", content: Buffer.from([0xff]) }],
    [/^a · refused · a.xml: it is not UTF-8/],
  ],
  [
    "the same identifier again",
    { documents: [one, one] },
    [entry("a.xml", dc("x"))],
    [/^a · refused · an earlier document has its identifier/, "a · new · converted"],
  ],
  [
    "an unknown field, a wrong format, no identifier",
    { documents: [{ ...one, more: 1 }, { ...one, format: "x" }, { format: "mods" }, 7] },
    [],
    [
      /^a · refused · .*"more"/,
      /^a · refused · format/,
      /^document 3 · refused · identifier/,
      /^document 4 · refused/,
    ],
  ],
  [
    "a file with a wrong checksum",
    { documents: [{ ...one, files: [{ name: "a.txt" }] }] },
    [entry("a.xml", dc("x")), { name: "a.txt", content: "text", crc: 1 }],
    ["a · new · converted", "a.txt · refused · its checksum (CRC-32) is wrong"],
  ],
  [
    "an entry that it does not name",
    { documents: [one] },
    [entry("a.xml", dc("x")), entry("more.txt", "x")],
    ["a · new · converted", "more.txt · refused · manifest.json does not name it"],
  ],
];
const problems: [what: string, bytes: Buffer, problem: RegExp][] = [
  ["no manifest", rawZip([entry("a.xml", "x")]), /^manifest.json: it is missing from the archive/],
  ["a manifest that is not JSON", rawZip([entry("manifest.json", "{")]), /is not JSON/],
  ["a manifest of another shape", rawZip([entry("manifest.json", "[]")]), /^manifest.json: \(whole\)/],
  ["a manifest without documents", rawZip([entry("manifest.json", '{"documents":[]}')]), /documents: /],
  ["no archive", Buffer.from("no archive, but a text of some length"), /not a readable zip/],
];

describe("an upload of an archive", () => {
  it.each(manifests)("%s → an outcome for each", async (_what, manifest, more, summary) => {
    const world = new UploadWorld("zip");
    world.sent.set("0", rawZip([entry("manifest.json", JSON.stringify(manifest)), ...more]));
    await world.read();
    expect(world.upload.problem).toBeUndefined();
    expect(world.summary()).toEqual(
      summary.map((line) => (typeof line === "string" ? line : expect.stringMatching(line))),
    );
  });

  it.each(problems)("%s → a problem of the upload", async (_what, bytes, problem) => {
    const world = new UploadWorld("zip");
    world.sent.set("0", bytes);
    await world.read();
    expect(world.upload).toMatchObject({ state: "done", problem: expect.stringMatching(problem) });
  });

  it("not sent → a problem of the upload", async () => {
    const world = new UploadWorld("zip");
    await world.read();
    expect(world.upload).toMatchObject({ state: "done", problem: "the file was not uploaded" });
  });
});

describe("a folder", () => {
  const file = (name: string, etag = "1") => ({ name, sizeBytes: 9, etag });
  const folderWorld = () => {
    const world = new UploadWorld("zip");
    const { ports } = world;
    const known = ports.sourcesById.get("s");
    if (known !== undefined)
      ports.sourcesById.set("s", { ...known, type: "FOLDER", folder: { bucket: "b", prefix: "" } });
    return world;
  };
  /** Reads the folder again, as the poll of this number; it is killed after some writes, and read again. */
  const readFolder = async (world: UploadWorld, poll: number, dies?: number) => {
    const at = new Date(Date.parse("2026-11-20T18:00:00Z") + poll * 3_600_000).toISOString();
    world.upload = {
      uploadId: `poll-${poll}`,
      sourceId: "s",
      content: "folder",
      state: "received",
      files: [],
      createdAt: at,
      receivedAt: at,
    };
    if (dies !== undefined) {
      world.ports.dieAfter(dies, { before: dies % 2 === 0 });
      await world.read().catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });
      world.ports.live();
    }
    await world.read();
    await world.read();
    // What a killed reader has left, the sweep publishes.
    const { documents, events, documentsByKey } = world.ports;
    await drainOutboxes([...documentsByKey.values()], {
      documents,
      events,
      requestFiles: async () => {},
    });
  };
  const changes = (world: UploadWorld) =>
    [...new Set(world.ports.published.map(({ type, changeId }) => `${type} ${changeId}`))]
      .map((event) => event.split(" ")[0])
      .toSorted();

  it("killed at any write → new, changed and vanished files, each once", async () => {
    for (let dies = 0; dies < 30; dies += 1) {
      const world = folderWorld();
      world.folder = [file("a"), file("b")];
      await readFolder(world, 0, dies);
      world.folder = [file("a"), file("b", "2"), file("c")];
      await readFolder(world, 1, dies);
      world.folder = [file("b", "2"), file("c")];
      await readFolder(world, 2, dies);
      const expected = ["document.deleted", "document.opened", "item.opened"];
      expect(changes(world), `killed after ${dies} writes`).toEqual(
        [...expected, ...Array(3).fill("document.new"), ...Array(3).fill("item.new")].toSorted(),
      );
    }
  });

  it("whose vanished file is back → opened, with its versions; its item is there again", async () => {
    const world = folderWorld();
    for (const [poll, names] of [["a", "b"], ["b"], ["a", "b"]].entries()) {
      world.folder = names.map((name) => file(name));
      await readFolder(world, poll);
    }
    expect(
      world.ports.published.map(({ type }) => type).filter((type) => type.startsWith("document")),
    ).toEqual([...["document.new", "document.new", "document.deleted", "document.opened"]]);
  });

  it.each([
    ["that is empty all at once", [], /is empty, although it had files/],
    ["that cannot be listed", undefined, /cannot be listed/],
  ])("%s → the reason; nothing is deleted", async (_, files, problem) => {
    const world = folderWorld();
    world.folder = [file("a")];
    await readFolder(world, 0);
    world.folder = files;
    await readFolder(world, 1);
    expect(world.upload.problem).toMatch(problem);
    expect(changes(world).filter((type) => type !== "source.deletions-held")).toEqual([
      "document.new",
      "item.new",
    ]);
    expect([...world.ports.documentsByKey.values()].map(({ state }) => state)).toEqual(["present"]);
  });

  describe("of 100 files that lacks many", () => {
    const all = Array.from({ length: 100 }, (_, n) => `f${n}`);
    const stateOf = ({ ports }: UploadWorld) => ports.oaiHarvestStates.get("s");
    const heldId = (world: UploadWorld) => stateOf(world)?.heldDeletions?.harvestId ?? "none";
    const present = ({ ports }: UploadWorld) =>
      [...ports.documentsByKey.values()].filter(({ state }) => state === "present").length;
    const events = (world: UploadWorld) => {
      const held = world.ports.published.filter(({ type }) => type === "source.deletions-held");
      return new Set(held.map(({ changeId }) => changeId)).size;
    };
    const have = (world: UploadWorld, poll: number, names: string[], dies?: number) => {
      world.folder = names.map((name) => file(name));
      return readFolder(world, poll, dies);
    };
    const worldOf = async (...folders: string[][]) => {
      const world = folderWorld();
      for (const [poll, names] of [all, ...folders].entries()) await have(world, poll, names);
      return world;
    };
    const decide = (world: UploadWorld, decision: "release" | "drop") =>
      decideDeletions("s", { harvestId: heldId(world), decision }, world.ports);

    it.each([
      ["20 → deleted", 20, {}, 80, 0],
      ["21 → held, once", 21, {}, 100, 1],
      ["all → held, once", 100, {}, 100, 1],
      ["5, of a source whose limit is 4 → held", 5, { maxDocuments: 4, maxPercent: 0 }, 100, 1],
      ["50, of a source whose limit is 50 % → deleted", 50, { maxPercent: 50 }, 50, 0],
    ])("%s, however often it is read", async (_, gone, limits, left, held) => {
      const world = await worldOf();
      const known = world.ports.sourcesById.get("s");
      if (known === undefined) throw new Error("no source");
      world.ports.sourcesById.set("s", { ...known, deletions: { ...known.deletions, ...limits } });
      for (const poll of [1, 2, 3]) await have(world, poll, all.slice(gone));
      expect([present(world), events(world)]).toEqual([left, held]);
      if (held > 0)
        expect(stateOf(world)?.heldDeletions).toMatchObject({
          documents: gone,
          of: 100,
          examples: { length: Math.min(gone, 10) },
        });
    });

    it("released → the next poll deletes them, also when it is killed", async () => {
      for (let dies = 0; dies < 60; dies += 3) {
        const world = await worldOf(all.slice(30));
        expect(await decide(world, "release")).toBe("decided");
        await have(world, 2, all.slice(30), dies);
        expect(present(world), `killed after ${dies} writes`).toBe(70);
        for (const name of ["heldDeletions", "releasedDeletions", "reconciled"])
          expect(stateOf(world)).not.toHaveProperty(name);
        expect(events(world)).toBe(1);
      }
    });

    it("released, and others are gone, too → held anew", async () => {
      const world = await worldOf(all.slice(30));
      await decide(world, "release");
      await have(world, 2, all.slice(31));
      expect([present(world), events(world)]).toEqual([100, 2]);
      expect(stateOf(world)).toMatchObject({ heldDeletions: { documents: 31 } });
      expect(stateOf(world)).not.toHaveProperty("releasedDeletions");
    });

    it("dropped → they stay, and are not held again; others that are gone later are held", async () => {
      const world = await worldOf(all.slice(30));
      await decide(world, "drop");
      await have(world, 2, all.slice(30));
      expect([present(world), events(world), heldId(world)]).toEqual([100, 1, "none"]);
      await have(world, 3, all.slice(60));
      expect([present(world), events(world)]).toEqual([100, 2]);
    });

    it("back again → nothing is held", async () => {
      const world = await worldOf(all.slice(30), all);
      expect([present(world), heldId(world)]).toEqual([100, "none"]);
    });
  });

  it("whose file is replaced between list and reading → refused, and read by the next poll", async () => {
    const world = folderWorld();
    world.folder = [file("a")];
    world.listings.set("stale", [file("a", "0")]);
    world.meanwhile = async () => {};
    await readFolder(world, 0);
    world.upload = { ...world.upload, uploadId: "poll-1", state: "received", listing: "stale" };
    delete world.upload.progress;
    await world.read();
    expect(world.summary()).toContain(
      "a · refused · it has vanished, or was replaced, since the folder was listed",
    );
  });
});

/** A MARC record, named by a number. */
const marcRecord = (id: number, title = `T${id}`) =>
  `<record xmlns="http://www.loc.gov/MARC21/slim"><leader>00000nab a2200000 a 4500</leader><controlfield tag="001">r${id}</controlfield><datafield tag="245" ind1="1" ind2="0"><subfield code="a">${title}</subfield></datafield></record>`;

/** MARC records with the numbers from 1. */
function marcFile(records: number): Buffer {
  const all = Array.from({ length: records }, (_, n) => marcRecord(n + 1));
  return Buffer.from(`<collection xmlns="http://www.loc.gov/MARC21/slim">${all.join("")}</collection>`);
}

describe("a MARC file", () => {
  async function readFile(file: string | Buffer): Promise<UploadWorld> {
    const world = new UploadWorld("marcxml");
    world.sent.set("0", Buffer.from(file));
    await world.read();
    return world;
  }
  const collection = (...records: string[]) =>
    `<collection xmlns="http://www.loc.gov/MARC21/slim">${records.join("\n")}</collection>`;

  it.each([
    ["cut off", collection(...[1, 2, 3].map((id) => marcRecord(id))).slice(0, -60), 2, 1],
    ["cut off after a record", collection(marcRecord(1)).slice(0, -13), 1, 0],
    [
      "of 500 records, then garbage and no end",
      collection(...Array.from({ length: 500 }, (_, n) => marcRecord(n + 1)), "<").slice(0, -13),
      500,
      0,
    ],
  ])(
    "%s → the problem of the upload, and the last record read; those before are kept",
    async (_, file, read, refused) => {
      const { upload, ports } = await readFile(file);
      expect(upload.problem).toMatch(
        new RegExp(`^line \\d+: .*the last record that was read is record ${read}, r${read}$`),
      );
      expect(ports.documentsByKey.size).toBe(read);
      expect(upload.progress?.counts).toMatchObject({ documents: read + refused, refused });
    },
  );

  it("with a record that is not well-formed → that one is refused, by its 001, and those after it are kept", async () => {
    const bad = marcRecord(3).replace("</leader>", "</leader>&nbsp;").replace("T3", "T&3");
    const world = await readFile(
      collection(marcRecord(1), marcRecord(2), "<record></oops>", bad, marcRecord(4)),
    );
    expect(world.summary()).toEqual([
      "r1 · new · converted",
      "r2 · new · converted",
      "record 3 · refused · record 3 at line 3: unexpected close tag.",
      "record 4 · refused · record 4 at line 4: undefined entity.",
      "r4 · new · converted",
    ]);
    expect(world.upload).not.toHaveProperty("problem");
  });

  it("without any record → the problem says so", async () => {
    const { upload } = await readFile("<html>");
    expect(upload.problem).toMatch(/^line 1: unclosed tag: html; no record was read$/);
    expect((await readFile(collection())).upload.problem).toBe("it has no record");
  });

  it("one 001 twice, in one batch or far away → the second is refused, named; the first stays", async () => {
    const far = Array.from({ length: 600 }, (_, n) => marcRecord(n + 10));
    const world = await readFile(
      collection(marcRecord(1), marcRecord(1, "Other"), ...far, marcRecord(1, "Third")),
    );
    const refused = world.summary().filter((line) => line.includes("refused"));
    expect(refused).toEqual([
      "r1 · refused · record 2: its 001 is that of record 1, which was read",
      "r1 · refused · record 603: its 001 is that of record 1, which was read",
    ]);
    const [first] = [...world.ports.documentsByKey.values()].filter(
      ({ identifier }) => identifier[0] === "r1",
    );
    expect([first?.title, first?.versions.length]).toEqual(["T1", 1]);
    expect(world.upload).toMatchObject({ state: "done", progress: { counts: { refused: 2 } } });
    expect(world.upload).not.toHaveProperty("problem");
  });
});

describe("a dry run", () => {
  const collection = (...records: string[]) =>
    `<collection xmlns="http://www.loc.gov/MARC21/slim">${records.join("\n")}</collection>`;

  it("after an upload → says what would be new, changed, unchanged and refused, and stores nothing until it is confirmed", async () => {
    const world = new UploadWorld("marcxml");
    world.sent.set("0", Buffer.from(collection(marcRecord(1), marcRecord(2))));
    await world.read();
    const before = world.everything();
    const { progress: _, ...upload } = world.upload;
    const bad = marcRecord(4).replace("T4", "&x;");
    world.sent.set(
      "0",
      Buffer.from(collection(marcRecord(1), marcRecord(2, "Other"), marcRecord(3), bad, marcRecord(3))),
    );
    world.upload = {
      ...upload,
      uploadId: "u2",
      state: "received",
      dryRun: true,
      receivedAt: "2026-11-21T18:00:00.000Z",
    };
    await world.read();
    const expected = ["r1 · unchanged", "r2 · opened", "r3 · new"];
    expect(world.summary().slice(0, 3)).toEqual(expected.map((line) => `${line} · converted`));
    expect(world.summary().slice(3)).toEqual([
      "r4 · refused · record 4 at line 4: undefined entity.",
      "r3 · refused · record 5: its 001 is that of record 3, which was read",
    ]);
    const counts = {
      documents: 5,
      refused: 2,
      byOutcome: { new: 1, opened: 1, deleted: 0, unchanged: 1, refused: 2 },
    };
    expect(world.upload).toMatchObject({ state: "done", dryRun: true, progress: { counts } });
    expect(world.everything()).toEqual(before);

    const { dryRun: _dryRun, progress: _progress, ...confirmed } = world.upload;
    world.upload = { ...confirmed, state: "received" };
    await world.read();
    expect(
      world
        .summary()
        .slice(0, 3)
        .map((line) => line.split(" · ").slice(0, 2).join(" · ")),
    ).toEqual(expected);
    expect(world.upload).toMatchObject({ progress: { counts } });
    expect(world.ports.documentsByKey.size).toBe(3);
  });
});

describe("a dry run of documents and their files", () => {
  const [a, , c] = documents as [UploadedDocument, UploadedDocument, UploadedDocument];
  const inRequest = () => {
    const world = new UploadWorld("documents", [a, c]);
    world.sent.set("0", Buffer.from("a text"));
    return world;
  };
  const inArchive = () => {
    const world = new UploadWorld("zip");
    const listed = [a, c].map((each) => ({ ...each, metadata: `${each.identifier}.xml` }));
    const contents = [a, c].map(({ identifier, metadata }) => entry(`${identifier}.xml`, metadata));
    const manifest = entry("manifest.json", JSON.stringify({ documents: listed }));
    world.sent.set("0", rawZip([manifest, ...contents, entry("a.txt", "a text")]));
    return world;
  };

  it.each([
    ["in the request", inRequest],
    ["in an archive", inArchive],
  ])("%s → the outcomes of the upload, with records and reasons; nothing is stored", async (_, worldOf) => {
    const [previewed, read] = [worldOf(), worldOf()];
    const before = previewed.everything();
    previewed.upload = { ...previewed.upload, dryRun: true };
    await previewed.read();
    await read.read();
    expect(previewed.summary().toSorted()).toEqual([
      "a · new · converted",
      "a.txt · new",
      "c · new · dropped",
    ]);
    expect(previewed.records()).toEqual(read.records());
    expect(previewed.records()).toContainEqual(["c", "dropped", expect.stringContaining("title")]);
    expect(previewed.everything()).toEqual(before);
    expect(read.everything()).not.toEqual(before);
  });

  it("whose record was delivered before → known", async () => {
    const world = inRequest();
    world.ports.archive.knownReasons = async (keys) =>
      new Map(keys.map((key) => [key, "delivered" as const]));
    world.upload = { ...world.upload, dryRun: true };
    await world.read();
    expect(world.summary()).toContain("a · new · known");
  });
});

it("an upload that is cancelled while it is read → stops after the batch; a delivery takes what was read", async () => {
  const world = new UploadWorld("marcxml");
  const all = Array.from({ length: 1200 }, (_, n) => marcRecord(n + 1));
  world.sent.set(
    "0",
    Buffer.from(`<collection xmlns="http://www.loc.gov/MARC21/slim">${all.join("")}</collection>`),
  );
  world.meanwhile = async () => {
    if (world.parts.size === 2) world.upload = { ...world.upload, state: "cancelled" };
  };
  await world.read();
  expect(world.upload).toMatchObject({ state: "cancelled", progress: { counts: { documents: 500 } } });
  await world.read();
  expect(await world.ports.runs.get(`upload-${uploadId}`)).toMatchObject({ state: "delivering" });
});

describe("a large upload", () => {
  const batches = 4;
  const records = 3 * 500 + 1;
  const marcWorld = () => {
    const world = new UploadWorld("marcxml");
    world.sent.set("0", marcFile(records));
    return world;
  };
  const expectRead = (world: UploadWorld) => {
    expect(world.upload).toMatchObject({ state: "done", progress: { counts: { documents: records } } });
    const names = world.summary().map((line) => line.split(" ")[0]);
    expect(names).toEqual(Array.from({ length: records }, (_, n) => `r${n + 1}`));
    expect(world.ports.documentsByKey.size).toBe(records);
  };

  it("whose batches take five minutes each → a batch in each invocation, and one batch in memory", async () => {
    const world = marcWorld();
    world.meanwhile = async () => {
      world.ports.now = new Date(world.ports.now.getTime() + 300_000);
    };
    for (let invocations = 1; invocations <= batches; invocations += 1) {
      expect(world.upload.state).toBe("received");
      await world.read();
      expect(world.messages).toHaveLength(Math.min(invocations, batches - 1));
    }
    expectRead(world);
    expect(world.summary().every((line) => line.includes("new"))).toBe(true);
    expect([...world.parts.values()].map(({ length }) => length)).toEqual([500, 500, 500, 1]);
  });

  it("that two deliveries read at the same time → each batch counts once", async () => {
    const world = marcWorld();
    await Promise.all([world.read(), world.read()]);
    expectRead(world);
    expect([...world.ports.runsById.values()].map(({ state }) => state)).toEqual(["delivering"]);
    const changes = world.ports.published.map(({ type, changeId }) => `${type} ${changeId}`);
    expect(new Set(changes).size).toBe(records);
    expect([...world.ports.resolvedPages.values()].map(({ length }) => length)).toEqual([500, 500, 500, 1]);
  });

  it("that another delivery overtakes in the middle of a batch → this one stops", async () => {
    const world = marcWorld();
    world.meanwhile = async () => {
      world.meanwhile = async () => {};
      await world.read();
    };
    await world.read();
    expectRead(world);
    expect(world.parts.size).toBe(batches + 1);
  });
});
