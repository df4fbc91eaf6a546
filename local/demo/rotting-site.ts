import { html } from "hono/html";
import { type Clock, systemClock } from "../../shared/core/clock.ts";
import { type LoopbackServer, startLoopbackServer } from "./loopback-server.ts";

export const rottingSitePaths = ["/january", "/april", "/july", "/october"];

/** Matches the missing pages, which have the status 200. */
export const rottenPageXPath = '//p[@class="error"]';

/**
 * Starts a site whose pages are missing for a while. The missing pages have the status 200 (soft 404), as on
 * many sites.
 * @param options.rotsAfterMs time from the first visit until the pages disappear
 * @param options.rotsForMs time until the pages return
 * @throws Error (`EADDRINUSE`) if the port is taken
 */
export async function startRottingSite(options: {
  port: number;
  rotsAfterMs: number;
  rotsForMs: number;
  clock?: Clock;
}): Promise<LoopbackServer> {
  const { port, rotsAfterMs, rotsForMs, clock = systemClock } = options;
  let firstVisitMs: number | undefined;
  return startLoopbackServer({ port, clock }, async ({ path }) => {
    const headers = { "content-type": "text/html; charset=utf-8" };
    if (!rottingSitePaths.includes(path)) return { status: 404, headers, body: String(page("Nothing here")) };
    const nowMs = clock.now().getTime();
    firstVisitMs ??= nowMs;
    const sinceMs = nowMs - firstVisitMs;
    const isGone = rotsAfterMs <= sinceMs && sinceMs < rotsAfterMs + rotsForMs;
    const main = isGone
      ? html`<p class="error">This page is gone.</p>`
      : html`<p>Sunrise, sunset, and what the moles foretell.</p>`;
    return { status: 200, headers, body: String(page(path.slice(1), main)) };
  });
}

function page(title: string, main = html``) {
  return html`<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${main}</html>`;
}
