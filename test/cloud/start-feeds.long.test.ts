import { createServer, type Server } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { listen } from "../listen.ts";
import { stateFolder } from "./local-cloud.ts";
import { startProcess } from "./start-process.ts";
import { deliveredTitles, expectSuccess, mailsIn } from "./started.ts";

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
  return listen(server);
}

describe("npm start -- --once", () => {
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
    const started = await startProcess(stateDir, "--once", ...feeds);
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
    const started = await startProcess(stateFolder(), "--once", "--feed", `${origin}/feed`);
    expect(await started.ended).toBe(1);
    expect(started.lines.join("\n")).toMatch(/no source could be read: .*\/feed answered 404/);
  });

  it.each([
    [["--feed", "ftp://example.org/feed"], /--feed: must be an http or https URL \(got "ftp:/],
    [["--port", "100000"], /--port: must be a port number/],
    [["--state", ""], /--state: must name a folder/],
    [["--fed", "http://example.org/"], /command line: .*--fed/],
  ])("%j → exit code 1 and what is wrong", async (args, message) => {
    const started = await startProcess(stateFolder(), "--once", ...args);
    expect(await started.ended).toBe(1);
    expect(started.lines.join("\n")).toMatch(message);
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
