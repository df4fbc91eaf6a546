import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { storeItem } from "../../../../shared/harvest/downloads/store-item.ts";
import { currentFile } from "../../../../shared/harvest/items/item.ts";
import { publishPending } from "../../../../shared/harvest/items/publish-pending.ts";
import { requestFiles } from "../../../../shared/harvest/items/request-files.ts";
import type { Upload } from "../../../../shared/harvest/uploads/upload.ts";
import { type NewRequest, outboundRequest } from "../../../../shared/web/request/request.ts";
import type { ResponseOutcome } from "../../../../shared/web/request/response.ts";
import { Killed } from "../../memory/writes.ts";
import { MemoryPorts } from "../../memory-ports.ts";

type Answered = Extract<ResponseOutcome, { type: "answered" }>;
type Answer = Partial<Answered> & { body?: string };

const url = "https://r.example/17/a.pdf";
const document = { sourceId: "s", documentId: "document-1", state: "present" as const };

class World extends MemoryPorts {
  readonly sent: NewRequest[] = [];
  readonly bodies = new Map<string, Buffer>();
  readonly requests = {
    send: async (requests: NewRequest[]) => void this.sent.push(...requests),
  };
  readonly created: Upload[] = [];
  readonly uploads = { create: async (upload: Upload) => void this.created.push(upload) };
  readonly documentUploads = { send: async () => undefined };
  readonly fileStore = {
    head: async (key: string, bytes: number) => (this.bodies.get(key) ?? Buffer.alloc(0)).subarray(0, bytes),
    join: async (keys: string[]) => {
      const content = Buffer.concat(keys.map((key) => this.bodies.get(key) ?? Buffer.alloc(0)));
      const sha256 = createHash("sha256").update(content).digest("hex");
      return { key: `files/${sha256}`, sizeBytes: content.length, sha256 };
    },
  };

  async ask(version: number, urls = [url]): Promise<void> {
    await requestFiles(document, { type: "files", version, urls }, this);
  }

  /** Answers the last request. */
  async answer(answer: Answer): Promise<void> {
    const request = outboundRequest.parse(this.sent.at(-1));
    const { body, ...rest } = answer;
    const bodyKey = `body-${this.sent.length}`;
    if (body !== undefined) this.bodies.set(bodyKey, Buffer.from(body, "latin1"));
    const stored = { sizeBytes: body?.length ?? 0, sha256: "" };
    const outcome = {
      type: "answered" as const,
      status: 200,
      url: request.url,
      hops: [],
      headers: {},
      ...(body !== undefined && { bodyKey, stored }),
      elapsedMs: 1,
      ...rest,
    };
    await storeItem({ request, outcome }, this);
    // A message may come twice.
    await storeItem({ request, outcome }, this);
  }

  get item() {
    return [...this.itemsByKey.values()][0];
  }
  get types(): string[] {
    return this.published.map(({ type, detail }) => `${type} ${detail.version}`);
  }
}

const pdf = { headers: { "content-type": "application/pdf", etag: '"1"' }, body: "%PDF-1.7 one" };
const reset = { reason: "reset", detail: "closed" };

describe("a file of a document", () => {
  it("downloaded → an item with type, size and SHA-256; asked for again with its validator; the same → no event", async () => {
    const world = new World();
    await world.ask(1);
    await world.answer(pdf);
    expect(world.item && currentFile(world.item)).toEqual({
      key: expect.any(String),
      contentType: "application/pdf",
      sizeBytes: 12,
      sha256: createHash("sha256").update(pdf.body).digest("hex"),
      etag: '"1"',
    });
    await world.ask(2);
    expect(world.sent.at(-1)?.headers).toEqual({ "if-none-match": '"1"' });
    await world.answer({ status: 304 });
    await world.ask(3);
    await world.answer(pdf);
    expect(world.types).toEqual(["item.new 1"]);
  });

  it("replaced, missing, back → opened, and nothing is deleted", async () => {
    const world = new World();
    await world.ask(1);
    await world.answer(pdf);
    await world.ask(2);
    await world.answer({ ...pdf, body: "%PDF-1.7 two" });
    await world.ask(3);
    await world.answer({ status: 404 });
    expect(world.item).toMatchObject({ state: "present", missing: { reason: `${url} answered 404` } });
    await world.ask(4);
    await world.answer({ ...pdf, body: "%PDF-1.7 three" });
    expect(world.types).toEqual(["item.new 1", "item.opened 2", "item.opened 3"]);
    expect(world.item).not.toHaveProperty("missing");
    expect(world.item).not.toHaveProperty("pendingSince");
    expect(world.published.every(({ detail }) => detail.sourceUri === "/sources/s")).toBe(true);
  });

  it("that the document no longer names → deleted, with the reason", async () => {
    const world = new World();
    await world.ask(1);
    await world.answer(pdf);
    await world.ask(2, []);
    expect(world.types).toEqual(["item.new 1", "item.deleted 2"]);
    expect(world.published[1]?.detail.reason).toBe("the document no longer names it");
  });

  it.each<[string, Answer, string]>([
    ["a web page", { ...pdf, body: "<html>" }, "it is a web page, not a file"],
    ["status 403", { status: 403 }, `${url} answered 403`],
    [
      "fewer bytes than announced",
      { ...pdf, headers: { ...pdf.headers, "content-length": "99" } },
      "it has 12 bytes instead of 99",
    ],
    [
      "too large",
      { ...pdf, headers: { ...pdf.headers, "content-length": "6000000000" } },
      "it has more than 5000000000 bytes",
    ],
    [
      "interrupted, weak validator",
      { ...pdf, headers: { etag: 'W/"1"' }, bodyProblem: reset },
      "its download was interrupted after 12 bytes (reset: closed), and its host cannot continue it",
    ],
  ])("%s → no file and no event, but the reason", async (_what, answer, reason) => {
    const world = new World();
    await world.ask(1);
    await world.answer(answer);
    expect(world.item).toMatchObject({ state: "refused", versions: [], problem: { reason } });
    expect(world.types).toEqual([]);
  });

  it("interrupted twice → the rest is asked for by Range and If-Range, and joined", async () => {
    const world = new World();
    await world.ask(1);
    await world.answer({ ...pdf, bodyProblem: reset });
    expect(world.sent.at(-1)).toMatchObject({
      url,
      headers: { range: "bytes=12-", "if-range": '"1"' },
    });
    const rest = (start: number, body: string) => ({
      status: 206,
      headers: { etag: '"1"', "content-range": `bytes ${start}-${start + body.length - 1}/20` },
      body,
    });
    await world.answer({ ...rest(12, " and"), bodyProblem: reset });
    expect(world.sent.at(-1)?.headers).toMatchObject({ range: "bytes=16-" });
    await world.answer(rest(16, " two"));
    const content = "%PDF-1.7 one and two";
    expect(world.item && currentFile(world.item)).toMatchObject({
      contentType: "application/pdf",
      sizeBytes: 20,
      sha256: createHash("sha256").update(content).digest("hex"),
    });
  });

  it("interrupted and replaced meanwhile → starts again with the other file", async () => {
    const world = new World();
    await world.ask(1);
    await world.answer({ ...pdf, bodyProblem: reset });
    await world.answer({ ...pdf, headers: { ...pdf.headers, etag: '"2"' }, body: "%PDF-1.7 another" });
    expect(world.item && currentFile(world.item)).toMatchObject({ sizeBytes: 16, etag: '"2"' });
  });

  it("interrupted, and a web page by its beginning → the rest is not asked for", async () => {
    const world = new World();
    await world.ask(1);
    await world.answer({ ...pdf, body: "<!doctype html>", bodyProblem: reset });
    expect(world.sent).toHaveLength(1);
  });

  it("an answer to a request of an earlier version → changes nothing", async () => {
    const world = new World();
    await world.ask(1);
    const [old] = world.sent;
    await world.answer(pdf);
    await world.ask(2, []);
    if (old !== undefined) world.sent.push(old);
    await world.answer(pdf);
    expect(world.types).toEqual(["item.new 1", "item.deleted 2"]);
  });

  it("killed at any write → repeated until done: one event by its id; a sweep publishes what was left", async () => {
    for (const before of [true, false]) {
      for (let writes = 0; writes < 4; writes += 1) {
        const world = new World();
        await world.ask(1);
        world.dieAfter(writes, { before });
        await world.answer(pdf).catch(async (error: unknown) => {
          if (!(error instanceof Killed)) throw error;
          world.live();
          if (world.item === undefined) await world.answer(pdf);
          else await publishPending(new Date("2027-01-01T00:00:00Z"), world);
        });
        expect(new Set(world.published.map(({ changeId }) => changeId)).size).toBe(1);
        expect(world.item?.outbox).toEqual([]);
      }
    }
  });
});
