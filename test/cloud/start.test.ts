import { existsSync, globSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { MARCXML } from "@natlibfi/marc-record-serializers";
import { afterEach, describe, expect, it } from "vitest";
import { openScheduleStore } from "../../local/cloud/schedule-store.ts";
import { scheduleNames } from "../../shared/names.ts";
import { stateFolder } from "./local-cloud.ts";
import { type Started, startProcess } from "./start-process.ts";

/** What the demo delivers: twelve articles but one without a title and one that is not there. */
const demoRecords = 10;

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

/** A site of texts by path; what is not there answers 404, a number answers that status. */
async function siteOf(pages: Record<string, string | number>): Promise<string> {
  server = createServer((request, response) => {
    const page = pages[request.url ?? ""] ?? 404;
    if (typeof page === "number") response.writeHead(page).end();
    else
      response
        .writeHead(200, { "content-type": page.startsWith("<?xml") ? "application/xml" : "text/html" })
        .end(page);
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server?.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Titles of the records in all delivered files, as an independent reader finds them. */
async function deliveredTitles(stateDir: string): Promise<string[]> {
  const files = globSync("deliveries/**/*.xml", { cwd: stateDir }).map((file) =>
    readFileSync(join(stateDir, file), "utf8"),
  );
  const records = await Promise.all(
    files
      .flatMap((text) => text.match(/<record>.*?<\/record>/gs) ?? [])
      .map((record) => MARCXML.from(record)),
  );
  const titles = records.map(
    ({ fields }) => fields.find(({ tag }) => tag === "245")?.subfields?.[0]?.value ?? "",
  );
  return titles.sort();
}

function mailsIn(stateDir: string): string[] {
  return globSync("mail/*.eml", { cwd: stateDir }).map((file) =>
    readFileSync(join(stateDir, file), "utf8").replaceAll(/=\r?\n/g, ""),
  );
}

/** The names of the schedules that do not run by themselves. */
function idleSchedules(stateDir: string): string[] {
  const store = openScheduleStore(join(stateDir, "schedules.db"));
  const idle = store.all().filter(({ nextMs }) => nextMs === null);
  store.close();
  return idle.map(({ definition }) => definition.Name);
}

function expectSuccess(started: Started, code: number | null): void {
  expect(code, started.lines.join("\n")).toBe(0);
}

describe("npm start -- --once", () => {
  it("delivers the demo in MARCXML that another reader accepts; a second start delivers nothing again", async () => {
    const stateDir = stateFolder();
    const first = startProcess(stateDir, "--once");
    expectSuccess(first, await first.ended);
    const titles = await deliveredTitles(stateDir);
    expect(new Set(titles).size).toBe(demoRecords);
    expect(titles).toHaveLength(demoRecords);
    expect(mailsIn(stateDir)[0]).toMatch(/^Subject: .*10 records delivered$/m);

    const second = startProcess(stateDir, "--once");
    expectSuccess(second, await second.ended);
    expect(second.lines.join("\n")).toMatch(/Delivered 0, 10 delivered before/);
    expect(await deliveredTitles(stateDir)).toEqual(titles);
    expect(mailsIn(stateDir)).toHaveLength(2);
    const daily: string[] = [scheduleNames.dailyLive, scheduleNames.dailyTest];
    expect(idleSchedules(stateDir)).toEqual(expect.arrayContaining(daily));
    expect(idleSchedules(stateDir)).not.toContain(scheduleNames.sweepCollections);
  });

  // What is told of a run's progress may pass between two looks; what a function has logged stays.
  it.each([
    ["while the feed is fetched", "start-harvest"],
    ["while articles are read", "read-article"],
    ["while the records are delivered", "validate-records"],
  ])("killed %s, started again → everything is delivered, once", async (_when, last) => {
    const stateDir = stateFolder();
    const first = startProcess(stateDir, "--once");
    const log = join(stateDir, `logs/ingather-${last}.log`);
    await expect.poll(() => existsSync(log), { interval: 5 }).toBe(true);
    first.process.kill("SIGKILL");
    await first.ended;

    const second = startProcess(stateDir, "--once");
    expectSuccess(second, await second.ended);
    const third = startProcess(stateDir, "--once");
    expectSuccess(third, await third.ended);
    const titles = await deliveredTitles(stateDir);
    expect(new Set(titles).size).toBe(demoRecords);
    expect(titles).toHaveLength(demoRecords);
  });

  it("killed again and again in the same place → the next start still delivers everything, once", async () => {
    const stateDir = stateFolder();
    for (let kill = 0; kill < 6; kill += 1) {
      const started = startProcess(stateDir, "--once");
      await started.said(/^(harvesting|finishing run|delivering|finished)/);
      started.process.kill("SIGKILL");
      await started.ended;
    }
    const last = startProcess(stateDir, "--once");
    expectSuccess(last, await last.ended);
    expect(await deliveredTitles(stateDir)).toHaveLength(demoRecords);
  });

  it("bad feeds beside a good one → each is reported with its reason, the good one is delivered", async () => {
    const origin = await siteOf({
      "/html": "<!doctype html><title>Moved</title><p>We have a new site.",
      "/truncated": "<?xml version='1.0'?><rss version='2.0'><channel><title>Cut</title><item><title>On",
      "/empty": "",
      "/broken": 500,
      "/good": feedOf("/article"),
      "/article": articlePage("On the Mending of Nets"),
    });
    const stateDir = stateFolder();
    const feeds = ["html", "truncated", "empty", "broken", "gone", "good"].flatMap((path) => [
      "--feed",
      `${origin}/${path}`,
    ]);
    const started = startProcess(stateDir, "--once", ...feeds);
    expectSuccess(started, await started.ended);
    expect(await deliveredTitles(stateDir)).toEqual(["On the Mending of Nets"]);
    const [mail = ""] = mailsIn(stateDir);
    expect(mail).toMatch(/^Subject: .*1 record delivered, 5 sources failed$/m);
    expect(mail).toMatch(/\/html: FAILED: .*\(html\)/);
    expect(mail).toMatch(/\/truncated: FAILED: .*\(truncated\)/);
    expect(mail).toMatch(/\/empty: FAILED: .*\(empty\)/);
    expect(mail).toMatch(/\/broken: FAILED: .* answered 500/);
    expect(mail).toMatch(/\/gone: FAILED: .* answered 404/);
  });

  it("no source can be read → exit code 1 with the reason", async () => {
    const origin = await siteOf({});
    const started = startProcess(stateFolder(), "--once", "--feed", `${origin}/feed`);
    expect(await started.ended).toBe(1);
    expect(started.lines.join("\n")).toMatch(/no source could be read: .*\/feed answered 404/);
  });

  it.each([
    [["--feed", "ftp://example.org/feed"], /--feed: must be an http or https URL \(got "ftp:/],
    [["--port", "100000"], /--port: must be a port number/],
    [["--state", ""], /--state: must name a folder/],
    [["--fed", "http://example.org/"], /command line: .*--fed/],
  ])("%j → exit code 1 and what is wrong", async (args, message) => {
    const started = startProcess(stateFolder(), "--once", ...args);
    expect(await started.ended).toBe(1);
    expect(started.lines.join("\n")).toMatch(message);
  });
});

describe("npm start", () => {
  it("stays up until Ctrl-C, then stops cleanly", async () => {
    const started = startProcess(stateFolder());
    const token = (await started.said(/^ey/)).trim();
    const url = /(http:\S+)\/deliveries/.exec(await started.said(/^Try: curl/))?.[1] ?? "";

    const delivered = await started.said(/^Delivered/);
    expect(started.lines.indexOf(token)).toBeLessThan(started.lines.indexOf(delivered));
    await started.said(/^Ingather stays up/);

    const refused = await fetch(`${url}/deliveries`);
    expect(refused.status).toBe(401);
    const listed = await fetch(`${url}/deliveries`, { headers: { authorization: `Bearer ${token}` } });
    expect(await listed.json()).toMatchObject({ deliveries: [{ records: demoRecords }] });
    const unknown = await fetch(`${url}/records/nobody`);
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toEqual({ error: "there is no record nobody" });

    started.process.kill("SIGINT");
    expect(await started.ended).toBe(0);
  });

  it("SIGTERM before its run is done → exits with 143", async () => {
    const started = startProcess(stateFolder());
    await started.said(/^Ingather is up/);
    started.process.kill("SIGTERM");
    expect(await started.ended).toBe(143);
  });

  it("shows a collection that crumbles and comes back", async () => {
    const stateDir = stateFolder();
    const started = startProcess(stateDir, "--every", "5s");
    await started.said(/^The Crumbling Almanac is suppressed: all 4 sampled links are broken/);
    await started.said(/^The Crumbling Almanac is activated: /);
    started.process.kill("SIGTERM");
    expect(await started.ended).toBe(0);
    expect(started.lines.filter((line) => /failed|broke off/i.test(line))).toEqual([]);
  });
});

function feedOf(path: string): string {
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>Nets</title><link>/</link><description>d</description>
<item><title>On the Mending of Nets</title><link>${path}</link></item></channel></rss>`;
}

function articlePage(title: string): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title>
<meta name="citation_title" content="${title}"><meta name="citation_journal_title" content="The Net Mender">
<meta name="citation_author" content="Twine, Tessa"><meta name="citation_volume" content="3">
<meta name="citation_issue" content="2"><meta name="citation_publication_date" content="2026/05/01"></head><body></body></html>`;
}
