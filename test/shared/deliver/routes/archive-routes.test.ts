import type { Hono } from "hono";
import { beforeEach, describe, expect, it } from "vitest";
import { archiveSubject } from "../../../../shared/deliver/routes/archive-routes.ts";
import { serve } from "../../api/serve.ts";
import { MemoryPorts } from "../../memory-ports.ts";
import { deliver, harvested, ordinary, runStage } from "../run-world.ts";

let ports: MemoryPorts;
let app: Hono;
beforeEach(async () => {
  ports = new MemoryPorts();
  harvested(ports, "run", ordinary);
  await deliver("run", ports);
  app = serve([archiveSubject], ports);
});

async function request(path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const put = { method: "PUT", body: typeof body === "string" ? body : JSON.stringify(body) };
  const answer = await app.request(path, body === undefined ? {} : put);
  return { status: answer.status, body: await answer.json() };
}

describe("GET /archive", () => {
  it.each(["/archive/a", "/archive?doi=10.5555/A", "/archive?url=http://journal.example/a/"])(
    "%s → the record, without what is the archive's own business",
    async (path) => {
      const { status, body } = await request(path);
      expect(status).toBe(200);
      expect(body).toMatchObject({ recordId: "a", state: "automatic", file: "Test_zotero_261120_001.xml" });
      for (const name of ["owner", "entryKey", "keys"]) expect(body).not.toHaveProperty(name);
    },
  );

  it.each<[string, number, RegExp]>([
    ["/archive/nobody", 404, /no record nobody/],
    ["/archive/a?mode=TEST", 404, /no record a/],
    ["/archive/a?mode=DRY", 400, /^mode: .*\(got "DRY"\)/],
    ["/archive?doi=10.5555/none", 404, /no such record/],
    [`/archive/${"a".repeat(3000)}`, 400, /^recordId: must be 1 to 64/],
    ["/archive/a?moed=TEST", 400, /moed/],
    ["/archive", 400, /^query: must have one of doi, url and hash/],
    ["/archive?doi=10.5555/a&hash=a", 400, /^query: must have one of/],
  ])("%s → %i", async (path, status, message) => {
    expect(await request(path)).toEqual({
      status,
      body: expect.objectContaining({ detail: expect.stringMatching(message) }),
    });
  });
});

describe("PUT /archive/{recordId}", () => {
  it.each(["reset", "ignore", "manual"])("%s → stored and answered", async (state) => {
    expect(await request("/archive/a", { state })).toMatchObject({ status: 200, body: { state } });
    expect(await request("/archive/a")).toMatchObject({ body: { state } });
  });

  it.each<[unknown, number, RegExp]>([
    [{ state: "automatic" }, 400, /^state: .*\(got "automatic"\)/],
    [{}, 400, /^state: /],
    [{ state: "reset", stat: 1 }, 400, /stat/],
    ["no json", 400, /^body: is not JSON/],
  ])("%j → %i, and nothing changes", async (body, status, message) => {
    expect(await request("/archive/a", body)).toEqual({
      status,
      body: expect.objectContaining({ detail: expect.stringMatching(message) }),
    });
    expect(await request("/archive/a")).toMatchObject({ body: { state: "automatic" } });
  });

  it("an id longer than a key of the table may be → 400", async () => {
    expect(await request(`/archive/${"a".repeat(3000)}`, { state: "reset" })).toMatchObject({ status: 400 });
  });

  it("a record that a run is about to deliver → 409, and 200 when it is delivered", async () => {
    harvested(ports, "next", [{ id: "n", urls: ["https://journal.example/n"] }]);
    for (const stage of ["validate", "upload"] as const) await runStage(stage, { runId: "next" }, ports);
    const error = "a run is about to deliver record n: change it when the run has ended";
    expect(await request("/archive/n", { state: "ignore" })).toEqual({
      status: 409,
      body: expect.objectContaining({ detail: error }),
    });
    await runStage("archive", { runId: "next" }, ports);
    expect(await request("/archive/n", { state: "ignore" })).toMatchObject({ status: 200 });
  });

  it("a record that the archive does not know → 404", async () => {
    expect(await request("/archive/nobody", { state: "reset" })).toMatchObject({ status: 404 });
  });
});

describe("GET /archive-titles", () => {
  it("the beginning of titles → the entries by title, in pages", async () => {
    const first = (await request("/archive-titles?title=ON&limit=2")).body as { entries: []; next: string };
    expect(first.entries).toMatchObject([{ recordId: "a", title: "On a" }, { recordId: "b" }]);
    const rest = await request(`/archive-titles?title=on&after=${encodeURIComponent(first.next)}`);
    expect(rest.body).toEqual({ entries: [expect.objectContaining({ recordId: "c", state: "automatic" })] });
    expect((await request("/archive-titles?title=on&mode=TEST")).body).toEqual({ entries: [] });
  });

  it.each([
    ["/archive-titles", /^title: /],
    ["/archive-titles?title=a", /^title: .*"a"/],
    ["/archive-titles?title=..!", /^title: must have two letters/],
    ["/archive-titles?title=on&after=xyz", /^after: .*"xyz"/],
  ])("%s → 400", async (path, says) => {
    const { status, body } = await request(path);
    expect([status, body]).toEqual([400, expect.objectContaining({ detail: expect.stringMatching(says) })]);
  });
});
