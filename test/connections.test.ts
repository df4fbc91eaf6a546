import { describe, expect, it } from "vitest";
import { findConnections } from "./connections.ts";

/**
 * Ways to bypass the gate, each planted into a separate file: the file, the planted code, and the expected
 * finding.
 */
const holes: [file: string, planted: string, found: string][] = [
  ["shared/records/runs/run.ts", "globalThis.fetch('http://a/');", "says globalThis"],
  [
    "shared/harvest/article/parse-article-content.ts",
    "const { fetch: get } = globalThis; get('http://a/');",
    "says fetch",
  ],
  ["shared/harvest/listing/select-articles.ts", "void fetch('http://a/');", "says fetch"],
  ["shared/formats/zotero-item.ts", "globalThis['fe' + 'tch']('http://a/');", "says globalThis"],
  ["shared/links/sweep/sweep.ts", "new WebSocket('ws://a/');", "says WebSocket"],
  ["shared/links/status/link-status.ts", "new EventSource('http://a/');", "says EventSource"],
  [
    "shared/links/check/check-history.ts",
    "import { createRequire } from 'node:module'; createRequire('/')('node:net');",
    "says createRequire",
  ],
  [
    "shared/links/check/check-history.ts",
    "import { createRequire } from 'node:module'; createRequire('/')('node:net');",
    "reaches node:module",
  ],
  ["shared/links/status/restore.ts", "process.getBuiltinModule('node:net');", "says getBuiltinModule"],
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
  ["shared/records/runs/stages.ts", "/* x */ import tls from 'tls'; tls.connect(1);", "reaches tls"],
  ["shared/identifiers/doi.ts", "process.binding('tcp_wrap');", "says binding"],
  [
    "shared/records/archive/known-reason.ts",
    "new Function('u', 'return fet' + 'ch(u)')('http://a/');",
    "says Function",
  ],
  ["shared/records/runs/completion.ts", "Function('return this')();", "says Function"],
  [
    "shared/links/rule/rule.ts",
    "import cluster from 'node:cluster'; cluster.fork();",
    "reaches node:cluster",
  ],
  ["shared/marc/fields.ts", "import m from 'node:module'; m.register('data:,');", "reaches node:module"],
  ["shared/marc/bibliographic-fields.ts", "declare const modules: any; modules._load('net');", "says _load"],
  [
    "shared/records/sources/source.ts",
    "import { Worker } from 'node:worker_threads'; new Worker(process.argv[2] ?? '');",
    "reaches node:worker_threads",
  ],
  [
    "shared/records/sources/group.ts",
    "import vm from 'vm'; vm.runInThisContext(process.argv[2] ?? '');",
    "reaches vm",
  ],
  ["shared/core/digest.ts", "process['dlopen']({}, 'net.node');", "says dlopen"],
  ["shared/web/gate/gate.ts", "void fetch('http://a/');", "says fetch"],
  ["shared/web/gate/host-lease.ts", "global.fetch('http://a/');", "says fetch"],
  ["shared/web/robots/robots.ts", "void fetch('http://a/');", "says fetch"],
  ["shared/web/chain/redirects.ts", "import net from 'node:net'; net.connect(1);", "reaches node:net"],
  [
    "shared/web/gate/host-consumer.ts",
    "import { createHttpClient } from '../exchange/http-client.ts'; createHttpClient({});",
    "reaches createHttpClient",
  ],
  [
    "shared/harvest/article/read-article-response.ts",
    "import { createTranslationServer } from '../../web/translation/translation-server.ts'; createTranslationServer({});",
    "reaches createTranslationServer",
  ],
  [
    "functions/links/test-rule.ts",
    "import { createTranslationServer as c } from '../../shared/web/translation/translation-server.ts'; c({});",
    "reaches createTranslationServer",
  ],
  ["local/start/seed.ts", "void fetch('http://a/');", "says fetch"],
  ["local/start/start-options.ts", "import { get } from 'node:http'; get('http://a/');", "reaches node:http"],
  [
    "local/cli/commands/convert.ts",
    "import { request } from 'undici'; request('http://a/');",
    "reaches undici",
  ],
  [
    "local/cli/commands/harvest.ts",
    "import { createHttpClient } from '../../../shared/web/exchange/http-client.ts'; createHttpClient({});",
    "reaches createHttpClient",
  ],
  [
    "local/cloud/gateway/gateway.ts",
    "import https from 'node:https'; https.get('https://a/');",
    "reaches node:https",
  ],
  ["local/cloud/json-lines-log.ts", "const m: string = 'net'; await import(m);", "says import(…)"],
];

describe("connections", () => {
  it("are opened by the gate's client, and by one adapter for each service of ours", async () => {
    expect(await findConnections()).toEqual([]);
  });

  it("planted anywhere else → found, one and all", async () => {
    const planted = Object.fromEntries(holes.map(([file, code]) => [file, code]));
    const found = await findConnections(planted);
    expect(found.sort()).toEqual(holes.map(([file, , what]) => `${file} ${what}`).sort());
  });
});
