import { beforeAll, describe, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { deliver } from "./deliver-records.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";
import { Operator } from "./operator.ts";

const sourceId = "demo-journal";
let cloud: LocalCloud;

beforeAll(async () => {
  cloud = await testCloud(stateFolder());
  const { demoSource } = await import("../../local/start/seed.ts");
  const { storeConfiguration } = await import("../../local/start/run-delivery.ts");
  await storeConfiguration([demoSource("http://127.0.0.1:1/feed.xml")]);
});

const ask = (method: string, path: string, body?: object) =>
  new Operator(cloud).ask<ReturnType<typeof JSON.parse>>(method, path, body);

const rule = { tag: "245", subfield: "a", presence: "always", regex: "^[A-Z]" };

describe("refused records on the local cloud", () => {
  it("a rule → the records that break it are listed with their findings, not delivered", async () => {
    expect((await ask("PUT", "/validation-rules", rule)).status).toBe(200);
    await ask("PUT", "/validation-rules", { tag: "936", subfield: "d", presence: "sometimes" });
    expect(await deliver("run-1", { a: "first", b: "second", c: "Third" })).toBe(1);
    const { body } = await ask("GET", `/refused-records?source=${sourceId}`);
    expect(body.records).toEqual(
      ["a", "b"].map((id) =>
        expect.objectContaining({ id, sourceId, deliveryMode: "LIVE", findingCount: 1 }),
      ),
    );
    expect((await ask("GET", "/refused-records/a")).body.findings).toEqual([
      expect.objectContaining({ tag: "245", subfield: "a", level: "all regular", record: "first" }),
    ]);
  });

  it("pages → each record once", async () => {
    const first = (await ask("GET", `/refused-records?source=${sourceId}&limit=1`)).body;
    const second = (await ask("GET", `/refused-records?source=${sourceId}&limit=1&after=${first.next}`)).body;
    expect([...first.records, ...second.records].map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it("one released by hand, one by a corrected rule → both delivered by the next run, once", async () => {
    expect((await ask("POST", "/refused-records/a/release")).body).toEqual({ id: "a", state: "released" });
    expect((await ask("POST", "/refused-records/b/revalidate")).body).toEqual({
      id: "b",
      outcome: "delinquent",
    });
    await ask("PUT", "/validation-rules", { ...rule, regex: null });
    const again = await ask("POST", "/refused-records/revalidate", { source: sourceId });
    expect(again.body).toEqual({ records: [{ id: "b", outcome: "valid" }] });
    expect(await deliver("run-2", {})).toBe(2);
    expect((await ask("GET", `/refused-records?source=${sourceId}`)).body).toEqual({ records: [] });
    expect(await deliver("run-3", { a: "First", b: "Second" })).toBe(0);
  });

  it.each([
    ["ignore", /ignores it/],
    ["manual", /manually/],
  ])("what the archive has as `%s` → 409, and still listed", async (state, says) => {
    await ask("PUT", "/validation-rules", rule);
    expect(await deliver(`run-${state}`, { [state]: "lower case" })).toBe(0);
    expect((await ask("PUT", `/archive/${state}`, { state })).status).toBe(200);
    const answer = await ask("POST", `/refused-records/${state}/release`);
    expect(answer).toMatchObject({
      status: 409,
      body: expect.objectContaining({ detail: expect.stringMatching(says) }),
    });
    expect((await ask("GET", `/refused-records/${state}`)).status).toBe(200);
  });

  it.each([
    ["release", "released", 6],
    ["ignore", "ignored", 0],
  ])("a journal that has moved → its articles are held until %s", async (action, outcome, delivered) => {
    const numbers = [0, 1, 2, 3, 4, 5];
    const onHost = (host: string) => {
      const ids = numbers.map((at) => `${outcome}-${host}-${at}`);
      const pick = (value: (at: number) => string) =>
        Object.fromEntries(numbers.map((at) => [`${outcome}-${host}-${at}`, value(at)]));
      return { ids, titles: pick((at) => `Bell ${at}`), matchKeys: pick((at) => `match:${outcome}-${at}`) };
    };
    const [old, moved] = [onHost("old"), onHost("new")];
    expect(await deliver(`run-${outcome}-1`, old.titles, old.matchKeys)).toBe(6);
    expect(await deliver(`run-${outcome}-2`, moved.titles, moved.matchKeys)).toBe(0);
    const { body } = await ask("GET", `/refused-records/${moved.ids[0]}`);
    expect(body.findings).toMatchObject([
      { ruleId: "perhaps-the-same", reason: expect.stringContaining(`record ${old.ids[0]} "Bell 0"`) },
    ]);
    const answer = await ask("POST", `/refused-records/${action}`, {
      reason: "perhaps-the-same",
      note: "Bell has moved",
    });
    expect(answer.body.records).toEqual(moved.ids.map((id) => ({ id, outcome })));
    expect(await deliver(`run-${outcome}-3`, {})).toBe(delivered);
    expect((await ask("GET", `/refused-records/${moved.ids[0]}`)).status).toBe(404);
  });

  it.each([
    { method: "GET", path: "/refused-records?reason=a", status: 400, says: /^reason: .*"a"/ },
    {
      method: "GET",
      path: "/refused-records?source=a",
      status: 400,
      says: /^source: there is no such source.*"a"/,
    },
    {
      method: "POST",
      path: "/refused-records/revalidate",
      body: { source: "a" },
      status: 400,
      says: /^source: there is no such/,
    },
    { method: "GET", path: "/refused-records?source=a&limit=0", status: 400, says: /^limit: .*"0"/ },
    { method: "GET", path: "/refused-records?source=a&after=a%23b", status: 400, says: /^after: .*"a#b"/ },
    { method: "GET", path: "/refused-records/none", status: 404, says: /no refused record none/ },
    { method: "POST", path: "/refused-records/a/release", status: 404, says: /no refused record a/ },
    { method: "POST", path: "/refused-records/a%20b/release", status: 400, says: /^id: .*"a b"/ },
    { method: "DELETE", path: "/validation-rules?tag=999&subfield=a", status: 404, says: /no rule/ },
  ])("$method $path → $status", async ({ method, path, body, status, says }) => {
    const answer = await ask(method, path, body);
    expect(answer.status).toBe(status);
    expect(answer.body.detail).toMatch(says);
  });

  it("refused for two reasons → grouped by reason over all sources, noted, and ignored by reason", async () => {
    await ask("PUT", "/validation-rules", { tag: "245", subfield: "a", presence: "always", regex: "^[A-Z]" });
    expect(await deliver("run-queue", { q1: "lower", q2: "case", q3: "" })).toBe(0);
    const { body } = await ask("GET", "/refused-records/reasons");
    const groups = body.reasons.map((group: { reason: string; count: number }) => [
      group.reason,
      group.count,
    ]);
    expect(groups).toContainEqual(["missing-control-field:001", 1]);
    const { reason } = body.reasons.find(({ ruleId }: { ruleId: string }) => ruleId === "contents-mismatch");
    const first = (await ask("GET", `/refused-records?reason=${reason}&limit=1`)).body;
    const rest = await ask(
      "GET",
      `/refused-records?reason=${reason}&after=${encodeURIComponent(first.next)}`,
    );
    const ids = [...first.records, ...rest.body.records].map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(["q1", "q2"]));
    expect(new Set(ids).size).toBe(ids.length);
    const noted = await ask("POST", "/refused-records/note", { ids: ["q1", "none"], note: "mailed" });
    expect(noted.body).toEqual({ ids: ["q1"] });
    const note = { text: "mailed", by: "operator@localhost", at: expect.any(String) };
    expect((await ask("GET", "/refused-records/q1")).body.note).toEqual(note);
    const ignored = await ask("POST", "/refused-records/ignore", { reason: "missing-control-field:001" });
    expect(ignored.body.records).toEqual([{ id: "q3", outcome: "ignored" }]);
    const released = await ask("POST", "/refused-records/release", { ids: ["q1", "q2"] });
    expect(released.body.records.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      "released",
      "released",
    ]);
    const after = await ask("GET", `/refused-records?reason=missing-control-field:001`);
    expect(after.body).toEqual({ records: [] });
    expect(await deliver("run-queue-2", {})).toBe(2);
  });

  it.each([
    ["nothing selected", {}, /^source: is missing/],
    ["two selections", { ids: ["a"], source: "b" }, /^ids: cannot be combined/],
    ["an empty note", { ids: ["a"], note: " " }, /^note/],
    ["the place of another list", { reason: "missing-title", after: "a" }, /^after: .*"a"/],
  ])("an action on %s → 400", async (_what, body, says) => {
    const answer = await ask("POST", "/refused-records/release", body);
    expect([answer.status, answer.body.detail]).toEqual([400, expect.stringMatching(says)]);
  });

  it("DELETE of a rule → gone", async () => {
    expect((await ask("DELETE", "/validation-rules?tag=245&subfield=a")).status).toBe(204);
    expect((await ask("GET", "/validation-rules")).body.rules).toHaveLength(1);
  });
});
