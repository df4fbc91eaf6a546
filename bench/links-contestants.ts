/** Runs one contestant of `bench/links.ts` in a separate process, so that its memory can be measured. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "undici";
import { systemClock } from "../shared/core/clock.ts";
import { checkLinks } from "../shared/links/check/check-links.ts";
import { maxPageBytes } from "../shared/links/rule/match-page.ts";
import { compileRule, type LinkRule } from "../shared/links/rule/rule.ts";
import { judgeLink } from "../shared/links/verdict/verdict.ts";
import { defaultAddressPolicy } from "../shared/web/address/admit-url.ts";
import { createHttpClient } from "../shared/web/exchange/http-client.ts";
import { gatePolicy } from "../shared/web/gate/gate-policy.ts";
import { type LinkSet, linkUrls } from "./links-server.ts";

export interface Contest {
  name: string;
  set: LinkSet;
  port: number;
  delayMs: number;
  /** The folder in which linkinator and broken-link-checker are installed. */
  others?: string | undefined;
}

export interface Result {
  seconds: number;
  /** The CPU time of all threads. Wall time also includes the server's time. */
  cpuSeconds: number;
  /** The number of links that were found alive. */
  alive: number;
  peakMiB: number;
}

type Contestant = (urls: string[], contest: Contest) => Promise<number>;

const statusRule = { statusCodes: "301,4..,50." };

export const contestants: Record<string, Contestant> = {
  "raw undici loop": runRawLoop,
  "ours, no rule": (urls, contest) => runOurs(urls, contest, {}),
  "ours, status rule": (urls, contest) => runOurs(urls, contest, statusRule),
  "ours, status + XPath rule": (urls, contest) =>
    runOurs(urls, contest, { ...statusRule, xpath: '//p[@class="error"]' }),
  "broken-link-checker": runBrokenLinkChecker,
  linkinator: runLinkinator,
};

async function runRawLoop(urls: string[]): Promise<number> {
  const byHost = Map.groupBy(urls, (url) => new URL(url).origin);
  let alive = 0;
  await Promise.all(
    [...byHost].map(async ([origin, own]) => {
      const client = new Client(origin);
      const get = async (path: string) => {
        const { statusCode, headers, body } = await client.request({ method: "GET", path });
        await body.dump();
        return { statusCode, location: String(headers.location) };
      };
      for (const url of own) {
        const { pathname } = new URL(url);
        let answer = await get(pathname);
        if (answer.statusCode === 301) answer = await get(answer.location);
        if (answer.statusCode === 200) alive++;
      }
      await client.close();
    }),
  );
  return alive;
}

async function runOurs(urls: string[], { set, delayMs }: Contest, rule: Partial<LinkRule>): Promise<number> {
  const allowedPrivateHosts = new Set(urls.slice(0, set.hosts).map((url) => new URL(url).host));
  const addresses = { ...defaultAddressPolicy, allowedPrivateHosts };
  const client = createHttpClient({ policy: addresses, limits: { bodyBytes: maxPageBytes } });
  const compiled = compileRule(rule);
  let alive = 0;
  const report = ({ verdict }: { verdict: string }) => {
    if (verdict === "alive") alive++;
  };
  await checkLinks(
    urls,
    {
      exchange: client.exchange,
      report,
      judge: (chain) => judgeLink(chain, compiled),
      clock: systemClock,
      random: Math.random,
    },
    {
      rule: compiled,
      policy: gatePolicy({ defaultDelayMs: delayMs, maxAttempts: 1, backoffBaseMs: 0 }),
      addresses,
      userAgent: "Ingather/0.1 (bench)",
      concurrency: set.hosts,
    },
  );
  await client.close();
  return alive;
}

async function runBrokenLinkChecker(urls: string[], { others = "." }: Contest): Promise<number> {
  const { UrlChecker } = createRequire(join(others, "package.json"))("broken-link-checker");
  let alive = 0;
  await new Promise<void>((resolve) => {
    const checker = new UrlChecker(
      { cacheResponses: false },
      {
        link: (result: { broken: boolean }) => {
          if (!result.broken) alive++;
        },
        end: resolve,
      },
    );
    for (const url of urls) checker.enqueue(url);
  });
  return alive;
}

async function runLinkinator(_urls: string[], { set, port, others = "." }: Contest): Promise<number> {
  const main = join(others, "node_modules/linkinator/build/src/index.js");
  const { check } = await import(pathToFileURL(main).href);
  const { links } = await check({ path: `http://127.0.1.1:${port}/list`, concurrency: set.hosts });
  return links.filter(({ state }: { state: string }) => state === "OK").length - 1;
}

if (import.meta.main) {
  const contest = JSON.parse(process.argv[2] ?? "") as Contest;
  const urls = linkUrls(contest.set, contest.port);
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  const alive = await contestants[contest.name]?.(urls, contest);
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpuSeconds = (user + system) / 1e6;
  const result = { seconds, cpuSeconds, alive, peakMiB: process.resourceUsage().maxRSS / 1024 };
  process.send?.(result, () => process.exit(0));
}
