import { join } from "node:path";
import { registerPublished } from "../../shared/check-set/set-sparql.ts";
import type { LoopbackServer } from "../demo/loopback-server.ts";
import { onPreferredPort } from "../demo/preferred-port.ts";
import { startRottingSite } from "../demo/rotting-site.ts";
import { type DemoSite, startDemoSite } from "../demo/site.ts";
import type { LocalSparqlEndpoint } from "../demo/sparql-endpoint.ts";
import type { StartOptions } from "./start-options.ts";
import { printLine } from "./terminal.ts";

/** The sites of the demo. */
export interface Demo {
  site: DemoSite;
  /** The site with the rotting collection. Absent with --once, which ends before the first change. */
  rottingSite: LoopbackServer | undefined;
  /** The SPARQL endpoint. Absent with --once, and if the user names another endpoint. */
  sparql: LocalSparqlEndpoint | undefined;
}

/** Returns how often the demo's rotting collection is swept. */
export function demoSweepEveryMs({ sweepEveryMs = 10_000 }: StartOptions): number {
  return sweepEveryMs;
}

export async function openDemo(options: StartOptions): Promise<Demo> {
  const site = await onPreferredPort(
    { siteName: "demo journal", preferredPort: options.demoPort, print: printLine },
    (port) => startDemoSite({ port }),
  );
  printLine(`The demo journal is at ${site.origin}/, its feed at ${site.feedUrl}.`);
  printLine(`The demo's OAI-PMH repository is at ${site.oaiUrl}; it changes every 15 s.`);
  if (options.once) return { site, rottingSite: undefined, sparql: undefined };
  const rottingSite = await openRottingSite(options);
  const sparql = options.sparql === undefined ? await openSparql(site, options) : undefined;
  return { site, rottingSite, sparql };
}

export async function closeDemo({ site, rottingSite, sparql }: Demo): Promise<void> {
  await site.close();
  await rottingSite?.close();
  await sparql?.close();
}

/**
 * Opens the SPARQL endpoint of the demo, which stores registered sets. It contains one set of the demo's site
 * as published.
 */
async function openSparql(
  site: DemoSite,
  { stateDir, demoPort }: StartOptions,
): Promise<LocalSparqlEndpoint> {
  const { startSparqlEndpoint } = await import("../demo/sparql-endpoint.ts");
  const published = {
    sourceId: "demo-published",
    service: `${site.origin}/oai`,
    spec: "patterns",
    metadataPrefix: "oai_dc",
  };
  const store = { file: join(stateDir, "published-sets.nq"), seed: registerPublished(published, ["primo"]) };
  return onPreferredPort(
    { siteName: "SPARQL endpoint", preferredPort: demoPort === 0 ? 0 : demoPort + 2, print: printLine },
    (port) => startSparqlEndpoint({ port, ...store }),
  );
}

/** Opens a site whose pages are alive for two sweeps, dead for two sweeps, and then alive again. */
function openRottingSite(options: StartOptions): Promise<LoopbackServer> {
  const everyMs = demoSweepEveryMs(options);
  const preferredPort = options.demoPort === 0 ? 0 : options.demoPort + 1;
  const rot = { rotsAfterMs: 1.5 * everyMs, rotsForMs: 2 * everyMs };
  return onPreferredPort({ siteName: "rotting demo site", preferredPort, print: printLine }, (port) =>
    startRottingSite({ port, ...rot }),
  );
}
