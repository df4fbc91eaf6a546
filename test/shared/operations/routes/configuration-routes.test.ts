import { beforeEach, describe, expect, it } from "vitest";
import { configurationSubject } from "../../../../shared/operations/routes/configuration-routes.ts";
import type { ImportJobStore } from "../../../../shared/records/sources/conf/import-job.ts";
import { serve } from "../../api/serve.ts";
import { memoryImports } from "../../memory/imports.ts";
import { configuration, journal } from "../../records/sources/fixtures.ts";
import { MemoryConfiguration } from "../../records/sources/memory-configuration.ts";

const ini = configuration(journal);
const clock = { now: () => new Date("2026-11-20T10:00:00Z"), sleep: () => Promise.resolve() };

let store: MemoryConfiguration;
let imports: ImportJobStore;
let sent: unknown[];
beforeEach(() => {
  store = new MemoryConfiguration();
  imports = memoryImports();
  sent = [];
});

function ports() {
  return {
    configuration: store,
    leases: store.leases,
    quality: store.quality,
    clock,
    imports,
    importsQueue: { send: async (message: unknown) => void sent.push(message) },
    newId: () => "i",
  };
}

async function post(body: string, contentType: string, query = "") {
  const app = serve([configurationSubject], ports());
  const answer = await app.request(`/config/import${query}`, {
    method: "POST",
    body,
    headers: { "content-type": contentType },
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

describe("POST /config/import", () => {
  it("a file as text → imported", async () => {
    const { status, body } = await post(ini, "text/plain; charset=utf-8");
    expect(status).toBe(200);
    expect(body).toMatchObject({ type: "imported", version: 1, sources: 1, groups: 2 });
    expect(body.warnings).toHaveLength(3);
    expect(body.warnings).toContainEqual(expect.stringContaining("ISSN_to_licence.map is not given"));
    expect(store.stored.size).toBe(4);
  });

  it("a file with its lists as JSON → both are imported", async () => {
    const maps = { "author_name_blacklist.txt": "Editor" };
    expect((await post(JSON.stringify({ conf: ini, maps }), "application/json")).status).toBe(200);
    const settings = JSON.parse(store.stored.get("settings global") ?? "");
    expect(settings.value.nameBlacklist).toEqual(["Editor"]);
  });

  it("more changes than one request may write → 202, and a function gets the job; how far it is can be read", async () => {
    const sections = Array.from({ length: 501 }, (_, at) =>
      [`[Journal ${at}]`, ...journal].join("\n").replace("4711", String(10_000 + at)),
    );
    const large = `${ini}\n${sections.join("\n\n")}`;
    const { status, body } = await post(large, "text/plain");
    expect([status, body]).toEqual([202, { status: "waiting", result: "/config/imports/i", total: 505 }]);
    expect(sent).toEqual([{ importId: "i" }]);
    expect([store.stored.size, (await imports.input("i")).ini]).toEqual([0, large]);
    // It is refused when another import comes between.
    expect(await imports.get("i")).toMatchObject({ after: 0 });
    const app = serve([configurationSubject], ports());
    const ask = async (path: string) => {
      const answer = await app.request(path);
      return [answer.status, await answer.json()];
    };
    const shown = { total: 505, requestedAt: "2026-11-20T10:00:00.000Z" };
    expect(await ask("/config/imports/i")).toEqual([202, expect.objectContaining({ ...shown, applied: 0 })]);
    const endedAt = "2026-11-20T10:00:30.000Z";
    await imports.update("i", { state: "stopped", endedAt, reason: "the store fails" });
    const stopped = { ...shown, status: "stopped", endedAt, reason: "the store fails" };
    expect(await ask("/config/imports/i")).toEqual([200, expect.objectContaining(stopped)]);
    await imports.update("i", {
      state: "done",
      version: 3,
      applied: 505,
      endedAt: "2026-11-20T10:01:00.000Z",
    });
    const done = { ...shown, status: "done", version: 3, applied: 505 };
    expect(await ask("/config/imports/i")).toEqual([200, expect.objectContaining(done)]);
    expect((await ask("/config/imports/i"))[1]).not.toHaveProperty("reason");
    expect((await ask("/config/imports/other"))[0]).toBe(404);
    expect((await post(large, "text/plain", "?dryRun=true")).status).toBe(200);
  });

  it("?dryRun=true → changes listed, nothing written", async () => {
    const { body } = await post(ini, "text/plain", "?dryRun=true");
    expect(body.changes).toHaveLength(4);
    expect(store.stored.size).toBe(0);
  });

  it("while another import is in progress → 409 that says which, nothing written", async () => {
    const since = "2026-11-20T09:59:00.000Z";
    const nowMs = clock.now().getTime();
    const note = { by: "npx ingather import", since };
    const lease = { key: "import", holder: "x", untilMs: nowMs + 1, note };
    await store.leases.claim(lease, nowMs);
    const { status, body } = await post(ini, "text/plain");
    expect([status, body.detail]).toEqual([
      409,
      expect.stringContaining(`npx ingather import, since ${since}`),
    ]);
    expect(store.stored.size).toBe(0);
    await store.leases.release(lease);
    expect((await post(ini, "text/plain")).status).toBe(200);
  });

  it("of a file without most of its journals → 400; ?allowRemovals=true → they are removed", async () => {
    const more = Array.from(
      { length: 6 },
      (_, index) => `\n[Journal ${index}]\n${journal.join("\n").replace("4711", String(5000 + index))}`,
    );
    await post(ini + more.join(""), "text/plain");
    const refused = await post(ini, "text/plain");
    expect(refused.status).toBe(400);
    expect(refused.body.problems).toMatchObject([{ message: expect.stringContaining("6 of 7 sources") }]);
    const { status, body } = await post(ini, "text/plain", "?allowRemovals=true");
    expect([status, body.sources]).toEqual([200, 1]);
    expect(body.changes).toHaveLength(6);
  });

  it.each([
    { title: "a file with problems", body: "groups =", type: "text/plain", says: /the file has problems/ },
    {
      title: "Latin-1",
      body: ini.replace("A journal", "Fran\ufffdaise"),
      type: "text/plain",
      says: /^body: byte \d+, in line 23, is not UTF-8.*\[Fran\ufffdaise : of tests\]/,
    },
    {
      title: "Latin-1 in a list",
      body: JSON.stringify({ conf: ini, maps: { "author_name_blacklist.txt": "and\nM\ufffdrz" } }).replace(
        "\ufffd",
        "\\ufffd",
      ),
      type: "application/json",
      says: /^maps.author_name_blacklist.txt: line 2 is not UTF-8/,
    },
    { title: "another type", body: ini, type: "text/html", says: /^content-type: .*"text\/html"/ },
    { title: "no JSON", body: "{", type: "application/json", says: /^body: is not JSON/ },
    { title: "JSON without conf", body: "{}", type: "application/json", says: /^conf: / },
    {
      title: "an unknown list",
      body: JSON.stringify({ conf: ini, maps: { "x.txt": "" } }),
      type: "application/json",
      says: /^maps/,
    },
    {
      title: "a bad query",
      body: ini,
      type: "text/plain",
      query: "?dryRun=perhaps",
      says: /^dryRun: .*"perhaps"/,
    },
  ])("$title → 400 that says so, nothing written", async ({ body, type, query, says }) => {
    const answer = await post(body, type, query);
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toMatch(says);
    expect(store.stored.size).toBe(0);
  });
});

it("a journal with a problem → the others are imported, it is named; ?strict=true → 400, nothing written", async () => {
  const bad = `\n[Bad]\n${journal.join("\n").replace("4711", "4712")}\nselective_evaluation = perhaps`;
  const strict = await post(ini + bad, "text/plain", "?strict=true");
  expect(strict.status).toBe(400);
  expect(strict.body.problems).toMatchObject([{ message: expect.stringContaining("invalid boolean value") }]);
  expect(store.stored.size).toBe(0);
  const { status, body } = await post(ini + bad, "text/plain");
  expect(status).toBe(200);
  expect(body).toMatchObject({
    type: "imported",
    sources: 1,
    unusable: [{ title: "Bad", kept: [] }],
    problems: strict.body.problems,
  });
});

it.each([
  { query: "", expected: 200, warnings: 49_003 },
  { query: "?strict=true", expected: 400, warnings: 49_000 },
])(
  "a file with more problems and warnings than an answer holds, $query → the first 1 000 of each, and how many more",
  async ({ query, expected, warnings }) => {
    const lines = Array.from(
      { length: 50_000 },
      (_, index) => `unknown_${index} = 1\nselective_evaluation = x`,
    );
    const { status, body } = await post(configuration([...journal, ...lines]), "text/plain", query);
    expect(status).toBe(expected);
    expect(body.problems).toHaveLength(1000);
    expect(body.warnings).toHaveLength(1000);
    expect(body.more).toEqual({ problems: 49_000, warnings, changes: 0, unusable: 0 });
  },
);
