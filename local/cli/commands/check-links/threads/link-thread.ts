/** A worker thread of `LinkThreads`, which checks the links of its hosts. */
import { parentPort } from "node:worker_threads";
import { systemClock } from "../../../../../shared/core/clock.ts";
import {
  checkLinks,
  type LinkResult,
  type OtherHosts,
} from "../../../../../shared/links/check/check-links.ts";
import type { LinkTask } from "../../../../../shared/links/check/link-task.ts";
import { compileRule } from "../../../../../shared/links/rule/rule.ts";
import { judgeLink } from "../../../../../shared/links/verdict/verdict.ts";
import { proxiesFromEnvironment } from "../../../../../shared/web/exchange/proxy-environment.ts";
import { createLinkClient, linkPolicy } from "../link-client.ts";
import { HostKeys } from "../link-origins.ts";
import type { FromThread, ThreadSettings, ToThread } from "./thread-messages.ts";

/** The time for which results are collected into a batch. A message costs more than a result. */
const batchMs = 10;

/**
 * The maximum number of results that the main thread has not yet read. Beyond it, the thread waits, because
 * the output is the bottleneck.
 */
const maxUnread = 4000;

/** The keys of the hosts that this thread serves. */
const hosts = new Set<string>();
const stop = new AbortController();
const noMore = Promise.withResolvers<void>();
let take: (link: LinkTask) => void = () => {};
let results: LinkResult[] = [];
let leaving: LinkTask[] = [];
let timer: NodeJS.Timeout | undefined;
let unread = 0;
let room = Promise.withResolvers<void>();

function send(message: FromThread): void {
  parentPort?.postMessage(message);
}

function flush(): void {
  clearTimeout(timer);
  timer = undefined;
  if (results.length + leaving.length > 0) send({ type: "results", results, leaving });
  results = [];
  leaving = [];
}

function makeRoom(): void {
  room.resolve();
  room = Promise.withResolvers();
}

parentPort?.on("message", (message: ToThread) => {
  switch (message.type) {
    case "start":
      return void checkOwn(message.settings);
    case "link":
      hosts.add(message.link.hostKey);
      return take(message.link);
    case "read":
      unread -= message.count;
      return makeRoom();
    case "abort":
      stop.abort();
      return makeRoom();
    case "end":
      return noMore.resolve();
  }
});

/** Checks this thread's links and those that other threads send, and then ends the thread. */
async function checkOwn(settings: ThreadSettings): Promise<void> {
  const keys = new HostKeys();
  for (const url of settings.urls) hosts.add(keys.of(url));
  try {
    const client = createLinkClient(settings, {
      proxyFor: proxiesFromEnvironment(process.env),
      threads: settings.threads,
    });
    const rule = compileRule(settings.rule);
    await checkLinks(
      settings.urls,
      {
        async exchange(request) {
          while (unread >= maxUnread && !stop.signal.aborted) await room.promise;
          return client.exchange(request);
        },
        report,
        judge: (chain) => judgeLink(chain, rule),
        others,
        clock: systemClock,
        random: Math.random,
      },
      {
        rule,
        policy: linkPolicy(settings),
        addresses: settings.addresses,
        userAgent: settings.userAgent,
        concurrency: settings.concurrency,
        signal: stop.signal,
      },
    );
    flush();
    await client.close();
    send({ type: "ended" });
  } catch (error) {
    send({ type: "ended", error });
  }
  parentPort?.close();
}

function report(result: LinkResult): void {
  unread++;
  results.push(result);
  timer ??= setTimeout(flush, batchMs);
}

const others: OtherHosts = {
  takeOver(link) {
    if (hosts.has(link.hostKey)) return false;
    if (leaving.length === 0) setImmediate(flush);
    leaving.push(link);
    return true;
  },
  arrivals: {
    deliver(to) {
      take = to;
      return noMore.promise;
    },
  },
};
