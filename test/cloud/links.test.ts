import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import type { PastCheck } from "../../shared/links/check/check-history.ts";
import type { LinkStatus } from "../../shared/links/status/link-status.ts";
import { functionNames } from "../../shared/names.ts";
import { type CountingProvider, startProvider } from "./counting-provider.ts";
import { runDueAttempts } from "./due-attempts.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

const whole = "<h1>An article</h1>";
const gone = '<h1>Sorry</h1><p class="error">This page  is gone</p>';

let cloud: LocalCloud;
let provider: CountingProvider;
let token: string;
let isGone = false;
const stateDir = stateFolder();

beforeAll(async () => {
  provider = await startProvider(["127.0.0.1"], (_address, path) =>
    path === "/robots.txt"
      ? { status: 404 }
      : { status: 200, headers: { "content-type": "text/html" }, body: isGone ? gone : whole },
  );
  cloud = await testCloud(stateDir, { allowedPrivateHosts: [`127.0.0.1:${provider.port}`] });
  token = await cloud.issueToken({ sub: "operator@localhost" });
  for (let number = 1; number <= 10; number += 1) await keepRecord(number);
});
afterAll(() => provider.close());

function pageOf(number: number): string {
  return `http://127.0.0.1:${provider.port}/${number}`;
}

/** As a harvest leaves it. */
/** When the runs of the tests write their records. */
const writtenBy = { first: "2026-11-20T00:00:00.000Z", second: "2026-11-21T00:00:00.000Z" };

async function keepRecord(number: number, runId: keyof typeof writtenBy = "first"): Promise<void> {
  const { recordStore } = await import("../../shared/adapters/records/record-store.ts");
  const records = recordStore();
  const recordId = `journal-${number}`;
  const marc = { leader: "00000naa a22000002u 4500", control: [], fields: [] };
  await records.save({
    recordId,
    sourceId: "journal",
    groupId: "Ingather",
    collectionId: "journal",
    runId,
    deliveryMode: "LIVE",
    title: `Article ${number}`,
    landingUrl: pageOf(number),
    syndicatedAt: new Date(Date.UTC(2026, 0, number)).toISOString(),
    hash: String(number),
    recordKey: await records.storeMarc(recordId, marc),
    state: "harvested",
    updatedAt: writtenBy[runId],
  });
}

async function call(method: string, path: string, body?: unknown) {
  const answer = await fetch(cloud.apiUrl + path, {
    method,
    redirect: "manual",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    location: answer.headers.get("location"),
    body: (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>,
  };
}

const linkStatus = async () =>
  (await call("GET", "/collections/journal")).body.linkStatus as LinkStatus | undefined;

/** What a function has logged. */
function logged(name: string): unknown[] {
  const lines = readFileSync(join(stateDir, `logs/ingather-${name}.log`), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line));
}

async function sweep(): Promise<void> {
  await cloud.invoke(functionNames.sweepCollections, {});
  await cloud.waitUntilIdle();
}

function pagesAsked(): string[] {
  const exchanges = provider.exchanges.get("127.0.0.1") ?? [];
  return exchanges.map(({ path }) => path).filter((path) => path !== "/robots.txt");
}

describe("link checking on the local cloud", () => {
  it("a collection is configured; a bad rule is refused, naming the field", async () => {
    const bad = await call("PUT", "/collections/journal", { title: "J", rule: { xpath: "//p[" } });
    expect(bad.status).toBe(400);
    expect(bad.body.detail).toMatch(/^rule\.xpath: /);
    const put = await call("PUT", "/collections/journal", {
      title: "A journal",
      rule: { xpath: '//p[@class="error"]', throttleSeconds: 0 },
      recheckDelaysHours: [1, 1, 1],
      recipients: ["journal@library.example"],
    });
    expect(put.body).toMatchObject({ collectionId: "journal", status: "active" });
  });

  it("a healthy sweep → the 2 oldest and 2 newest are requested, and nothing changes", async () => {
    await sweep();
    expect(pagesAsked().sort()).toEqual(["/1", "/10", "/2", "/9"]);
    expect(await linkStatus()).toBeUndefined();
    expect(logged("sweep-collections")).toMatchObject([
      { level: "INFO", message: "the invocation is done", done: { swept: 1, requests: 4 } },
    ]);
    expect(logged("judge-link")).toContainEqual(
      expect.objectContaining({ level: "INFO", messages: expect.any(Number), returned: 0 }),
    );
    const { body } = await call("GET", "/records/journal-9/checks");
    expect(body.checks).toMatchObject([{ verdict: "alive", purpose: "collection", reason: "answered 200" }]);
  });

  it("all samples are soft 404s → suppressed, one mail; left out of searches, there by id", async () => {
    isGone = true;
    await sweep();
    expect(await linkStatus()).toMatchObject({ status: "suppressed", failures: 1 });
    const mails = globSync("mail/collection.journal.*.eml", { cwd: stateDir });
    expect(mails).toHaveLength(1);
    const mail = readFileSync(join(stateDir, mails[0] ?? ""), "utf8");
    expect(mail).toMatch(/^X-Envelope-To: [^:]*\bjournal@library\.example\r$/m);
    expect(mail.replaceAll("=\r\n", "")).toContain(`${cloud.apiUrl}/console/collections/journal`);
    expect((await call("GET", "/records?collection=journal")).body.records).toEqual([]);
    expect((await call("GET", "/suppressed-collections")).body.collections).toEqual([
      { collectionId: "journal", title: "A journal", status: "suppressed" },
    ]);
    expect((await call("GET", "/records/journal-1")).body).toMatchObject({
      recordId: "journal-1",
      link: { status: "active", collectionStatus: "suppressed" },
    });
  });

  it("further attempts fail, no more mail; alive again → active, one more mail", async () => {
    await runDueAttempts(cloud);
    expect(await linkStatus()).toMatchObject({ status: "suppressed", failures: 2 });
    expect(globSync("mail/collection.journal.*.eml", { cwd: stateDir })).toHaveLength(1);
    isGone = false;
    await runDueAttempts(cloud);
    expect(await linkStatus()).toMatchObject({ status: "active", failures: 0 });
    expect(globSync("mail/collection.journal.*.eml", { cwd: stateDir })).toHaveLength(2);
    const { body } = await call("GET", "/records?collection=journal&limit=4");
    expect((body.records as { recordId: string }[]).map(({ recordId }) => recordId)).toEqual([
      "journal-10",
      "journal-9",
      "journal-8",
      "journal-7",
    ]);
    const rest = await call("GET", `/records?collection=journal&limit=20&after=${body.next}`);
    expect(rest.body.records).toHaveLength(6);
    const wrong = await call("GET", "/records?collection=journal&after=elsewhere");
    expect([wrong.status, wrong.body.detail]).toEqual([400, expect.stringMatching(/^after: /)]);
  });

  it("a reader opens a page that is gone, twice → 302 at once, one check, the record suppressed, also after a new harvest", async () => {
    isGone = true;
    const before = pagesAsked().length;
    for (let times = 0; times < 2; times += 1) {
      const { status, location } = await call("GET", "/records/journal-5/source");
      expect([status, location]).toEqual([302, pageOf(5)]);
    }
    await cloud.waitUntilIdle();
    expect(pagesAsked().slice(before)).toEqual(["/5"]);
    expect((await call("GET", "/records/journal-5")).body.link).toMatchObject({ status: "suppressed" });
    const { body } = await call("GET", "/records?collection=journal");
    expect((body.records as unknown[]).length).toBe(9);
    await keepRecord(5, "second");
    expect((await call("GET", "/records/journal-5")).body).toMatchObject({
      updatedAt: writtenBy.second,
      link: { status: "suppressed" },
    });
    const { body: suppressed } = await call("GET", "/records?state=suppressed");
    expect(suppressed.records).toMatchObject([{ recordId: "journal-5", collectionId: "journal" }]);
    isGone = false;
    await runDueAttempts(cloud);
    expect((await call("GET", "/records/journal-5")).body.link).toMatchObject({ status: "active" });
    expect((await call("GET", "/records?state=suppressed")).body.records).toEqual([]);
  });

  it("a rule is tried on a live page → what hit, with its text", async () => {
    isGone = true;
    const rule = { xpath: '//p[@class="error"]', throttleSeconds: 0 };
    const posted = await call("POST", "/rules/test", { url: pageOf(3), rule });
    expect(posted.status).toBe(202);
    await cloud.waitUntilIdle();
    expect((await call("GET", posted.location ?? "")).body).toMatchObject({
      status: "done",
      verdict: "broken",
      reason: `the page matches ${rule.xpath}`,
      matchedText: "This page is gone",
      parts: {
        statusCodes: { isHit: false, statuses: [] },
        finalUrl: { isHit: false },
        xpath: { isHit: true, matchedText: "This page is gone" },
      },
    });
    isGone = false;
  });

  it("held and released by an operator → reported by mail each time", async () => {
    const mails = () => globSync("mail/collection.journal.*.eml", { cwd: stateDir }).length;
    const before = mails();
    expect(
      (await call("POST", "/collections/journal/hold", { reason: "the publisher moves" })).body,
    ).toMatchObject({ status: "suppressed" });
    expect(mails()).toBe(before + 1);
    expect(
      (await call("POST", "/collections/journal/release", { reason: "the publisher moves" })).body,
    ).toMatchObject({ status: "active" });
    expect(mails()).toBe(before + 2);
  });

  it("held while an attempt is due → its host is not requested; released → the attempt is made", async () => {
    const { linkRecords } = await import("../../shared/links/stores/link-records.ts");
    const link = async () => (await linkRecords().get("journal-6"))?.link;
    isGone = true;
    await call("GET", "/records/journal-6/source");
    await cloud.waitUntilIdle();
    await call("POST", "/collections/journal/hold", { reason: "the publisher moves" });
    const [asked, before] = [pagesAsked(), await link()];
    expect(before).toMatchObject({ status: "suppressed" });
    isGone = false;
    await runDueAttempts(cloud);
    expect(pagesAsked()).toEqual(asked);
    const putOff = await link();
    expect(putOff).toMatchObject({ status: "suppressed", failures: 1 });
    expect(putOff?.nextAttemptAt).not.toBe(before?.nextAttemptAt);
    await call("POST", "/collections/journal/release", { reason: "the publisher moves" });
    await runDueAttempts(cloud);
    expect(await link()).toMatchObject({ status: "active" });
  });

  it("links drawn at random → the share of dead ones, with its interval", async () => {
    await cloud.invoke(functionNames.sampleLinks, {});
    await cloud.waitUntilIdle();
    const { body } = await call("GET", "/collections/journal/estimate");
    expect(body.now).toMatchObject({ judged: 10, dead: 0, share: 0, low: 0 });
    expect((body.now as { high: number }).high).toBeCloseTo(0.2775, 3);
  });

  it("a check older than 50 others → not reported", async () => {
    const { linkHistory } = await import("../../shared/links/stores/link-history.ts");
    const history = linkHistory();
    for (let number = 0; number < 55; number += 1) {
      const requestedAt = new Date(Date.UTC(2026, 5, 1) + number * 3_600_000).toISOString();
      const check: PastCheck = {
        checkId: `old-${number}`,
        recordId: "journal-4",
        requestedAt,
        judgedAt: requestedAt,
        purpose: "record",
        verdict: "alive",
        reason: "answered 200",
        hops: [],
      };
      await history.add(check);
    }
    const checks = (await call("GET", "/records/journal-4/checks")).body.checks as PastCheck[];
    expect(checks).toHaveLength(50);
    expect(checks.map(({ checkId }) => checkId)).not.toContain("old-0");
  });

  it("the suppressed collections requested again with their ETag → 304, without a body", async () => {
    const first = await fetch(`${cloud.apiUrl}/suppressed-collections`);
    const again = await fetch(`${cloud.apiUrl}/suppressed-collections`, {
      headers: { "if-none-match": first.headers.get("etag") ?? "" },
    });
    expect([again.status, await again.text(), again.headers.get("cache-control")]).toEqual([
      304,
      "",
      "public, max-age=30",
    ]);
  });

  it.each(["%23x", "%3Fx", "%00", "%5C..", "%252F..", "%2F..%2Fjournal", ";x", "%C3%A9%F0"])(
    "an id and %s → no route takes it for the id before",
    async (more) => {
      const before = await call("GET", "/collections/journal");
      const changed = { title: "Another" };
      const asked: [method: string, path: string, body?: object][] = [
        ["GET", "/records/journal-1*"],
        ["GET", "/records/journal-1*/source"],
        ["GET", "/records/journal-1*/checks"],
        ["POST", "/records/journal-1*/restore"],
        ["GET", "/collections/journal*"],
        ["PUT", "/collections/journal*", changed],
        ["DELETE", "/collections/journal*"],
        ["POST", "/collections/journal*/hold"],
        ["POST", "/collections/journal*/release"],
        ["POST", "/collections/journal*/restore"],
        ["GET", "/collections/journal*/statistics"],
        ["GET", "/collections/journal*/estimate"],
        ["GET", "/archive/journal-1*"],
        ["PUT", "/archive/journal-1*", { state: "reset" }],
        ["GET", "/groups/journal*/delivery"],
        ["PUT", "/groups/journal*/delivery", { recordsPerFile: 5 }],
        ["POST", "/sources/journal*/preview"],
        ["GET", "/sources/journal*/preview/1"],
        ["GET", "/refused-records/journal-1*"],
        ["POST", "/refused-records/journal-1*/revalidate"],
        ["POST", "/refused-records/journal-1*/release"],
        ["GET", "/runs/live*"],
        ["GET", "/rules/tests/t1*"],
      ];
      const taken: string[] = [];
      for (const [method, path, body] of asked) {
        const { status } = await call(method, path.replace("*", more), body);
        if (status !== 400 && status !== 404) taken.push(`${method} ${path}: ${status}`);
      }
      expect(taken).toEqual([]);
      expect(await call("GET", "/collections/journal")).toEqual(before);
    },
  );

  it("the collection is removed → unknown, but for its figures; its records are there", async () => {
    expect((await call("DELETE", "/collections/journal")).status).toBe(204);
    expect((await call("DELETE", "/collections/journal")).status).toBe(404);
    expect((await call("GET", "/collections/journal")).status).toBe(404);
    expect((await call("GET", "/collections/journal/estimate")).status).toBe(200);
    expect((await call("GET", "/collections/nobody/estimate")).status).toBe(404);
    expect((await call("GET", "/collections/journal/estimate")).status).toBe(200);
    expect((await call("GET", "/collections/nobody/estimate")).status).toBe(404);
    expect((await call("GET", "/records?collection=journal")).body.records).toHaveLength(10);
  });

  it("the host never saw two requests at once", () => {
    expect(provider.exchanges.get("127.0.0.1")?.filter(({ concurrent }) => concurrent > 0)).toEqual([]);
  });
});
