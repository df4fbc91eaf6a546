import { describe, expect, it } from "vitest";
import { findConnections } from "./connections.ts";

/** Ways past the gate, each planted into a file of its own: what is planted, and what must be found. */
const holes: [file: string, planted: string, found: string][] = [
  ["shared/harvest/run.ts", "globalThis.fetch('http://a/');", "says globalThis"],
  ["shared/harvest/article-answer.ts", "const { fetch: get } = globalThis; get('http://a/');", "says fetch"],
  ["shared/harvest/listing.ts", "void fetch('http://a/');", "says fetch"],
  ["shared/harvest/item.ts", "globalThis['fe' + 'tch']('http://a/');", "says globalThis"],
  ["shared/links/sweep/sweep.ts", "new WebSocket('ws://a/');", "says WebSocket"],
  ["shared/links/fate/fate.ts", "new EventSource('http://a/');", "says EventSource"],
  [
    "shared/links/check/history.ts",
    "import { createRequire } from 'node:module'; createRequire('/')('node:net');",
    "says createRequire",
  ],
  ["shared/links/fate/restore.ts", "process.getBuiltinModule('node:net');", "says getBuiltinModule"],
  [
    "shared/marc/record.ts",
    "import { request } from 'node:https'; request('https://a/');",
    "reaches node:https",
  ],
  [
    "functions/harvest/read-feed.ts",
    "const part: string = 'net'; await import('node:' + part);",
    "says import(…)",
  ],
  [
    "functions/harvest/read-article.ts",
    "const name: string = 'node:net'; await import(name);",
    "says import(…)",
  ],
  ["functions/harvest/read-mail.ts", "await import(`node:net`);", "reaches node:net"],
  ["functions/harvest/start-harvest.ts", "import 'undici/lib/api/index.js';", "reaches undici"],
  [
    "functions/links/judge-link.ts",
    "import { createHttpClient } from '../../shared/web/exchange/http-client.ts'; createHttpClient({} as never);",
    "reaches createHttpClient",
  ],
  [
    "functions/links/report-links.ts",
    "export { createHttpClient as report } from '../../shared/web/exchange/http-client.ts';",
    "reaches createHttpClient",
  ],
  ["functions/delivery/send-report.ts", "import { Client as Ssh } from 'ssh2'; new Ssh();", "reaches ssh2"],
  [
    "functions/delivery/find-overdue.ts",
    "import { exec } from 'child_process'; exec('curl a');",
    "reaches child_process",
  ],
  ["shared/delivery/pipeline/stages.ts", "/* x */ import tls from 'tls'; tls.connect(1);", "reaches tls"],
];

describe("connections", () => {
  it("are opened by the gate's client, and by one adapter for each service of ours", async () => {
    expect(await findConnections()).toEqual([]);
  }, 60_000);

  it("planted anywhere else → found, one and all", async () => {
    const planted = Object.fromEntries(holes.map(([file, code]) => [file, code]));
    const found = await findConnections(planted);
    expect(found.sort()).toEqual(holes.map(([file, , what]) => `${file} ${what}`).sort());
  }, 60_000);
});
