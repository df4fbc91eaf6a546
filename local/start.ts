import { join } from "node:path";
import { registerPublished } from "../shared/check-set/set-sparql.ts";
import { pluralize } from "../shared/core/pluralize.ts";
import type { RunReport } from "../shared/delivery/report/report.ts";
import { functionNames, scheduleNames, variables } from "../shared/names.ts";
import { hostKey, hostKeyOf } from "../shared/web/address/host-key.ts";
import type { LocalCloud } from "./cloud/cloud.ts";
import { createFaults, describeFaults } from "./cloud/faults.ts";
import type { FunctionLog } from "./cloud/lambda/function-log.ts";
import { colored } from "./colors.ts";
import { cacheCompiledModules } from "./compile-cache.js";
import type { LoopbackServer } from "./demo/loopback-server.ts";
import { onPreferredPort } from "./demo/preferred-port.ts";
import { startRottingSite } from "./demo/rotting-site.ts";
import { type DemoSite, startDemoSite } from "./demo/site.ts";
import type { LocalSparqlEndpoint } from "./demo/sparql-endpoint.ts";
import { namesPrivateHost } from "./private-host.ts";
import { describeFailure, describeRun } from "./start/follow-run.ts";
import { LiveLine } from "./start/live-line.ts";
import { demoSource, feedSource, localGroup } from "./start/seed.ts";
import { parseStartOptions, type StartOptions, startUsage } from "./start/start-options.ts";
import { adviseOnState } from "./state-advice.ts";
import { stopOnSignals, stoppedExitCode } from "./stop-signals.ts";
import { contactAdvice, namesContact } from "./user-agent.ts";

/** The progress of a run, on a terminal. */
const live = process.stdout.isTTY ? new LiveLine(process.stdout) : undefined;

const printLine = (line: string) => {
  live?.clear();
  console.log(line);
};

/** `npm start`: starts Ingather on this machine and a run. @returns the exit code */
async function start(options: StartOptions, signal: AbortSignal): Promise<number> {
  const { stateDir, feeds, userAgent, probeUrls } = options;
  const probedHosts = probeUrls
    .map((url) => new URL(url))
    .filter(namesPrivateHost)
    .map(hostKey);
  const { openCloud } = await import("./open-cloud.ts");
  const faults = options.faults && createFaults(options.faults);
  if (options.faults !== undefined) {
    const { probability, seed } = options.faults;
    printLine(`Faults are injected with probability ${probability}, seed ${seed}.`);
  }
  // With --once, nobody looks.
  const replay = options.once
    ? undefined
    : await (await import("./snapshots/replay/replay-beside.ts")).openReplayBeside();
  const cloud = await openCloud({
    stateDir,
    replayOrigin: replay?.origin,
    apiPort: options.apiPort,
    schedules: {
      allExcept: [
        // With --once, the process ends with its own run and would interrupt a scheduled one.
        ...(options.once ? [scheduleNames.dailyLive, scheduleNames.dailyTest] : []),
        // `watchNetwork` probes more often.
        ...(probeUrls.length > 0 ? [scheduleNames.probeNetwork] : []),
      ],
    },
    // Polling starts when the allowed private hosts are known: an imported configuration replaces the demo.
    polling: false,
    translationServer: options.translationServer,
    tika: options.tika,
    sparqlEndpoint: options.sparql,
    userAgent,
    allowedPrivateHosts: probedHosts,
    probeUrls,
    onLog: printFunctionError,
    faults,
    sesSandbox: options.sesSandbox,
    lateSchedules: options.lateSchedules,
  });
  replay?.readFrom(cloud.gatewayUrl);
  let demo: Demo | undefined;
  /** Work in parallel to the first run. */
  const beside: Promise<void>[] = [];
  const ended = new AbortController();
  const untilEnd = AbortSignal.any([signal, ended.signal]);
  const goOnBeside = (work: Promise<void>) => {
    // Errors are reported after the run.
    work.catch(() => undefined);
    beside.push(work);
  };
  try {
    // Loaded late: openCloud configures the AWS SDK of this process.
    const { loadImportedSources, runDelivery, storeConfiguration, storeDemoSupplement } = await import(
      "./start/run-delivery.ts"
    );
    const { exportFiles } = await import("./start/export-files.ts");
    const { receiveMail, watchMailFolder } = await import("./start/receive-mail.ts");
    const { watchRuns } = await import("./start/watch-runs.ts");
    const printReport = async (report: RunReport) => {
      for (const line of describeRun(report)) printLine(line);
      if (faults !== undefined) printLine(`Faults so far: ${describeFaults(faults.counts())}`);
      for (const file of await exportFiles(join(stateDir, "deliveries"))) printLine(`File: ${file}`);
    };
    const printFailure = (failure: string | undefined) => {
      if (failure !== undefined) console.error(colored("red", failure, process.stderr));
    };
    const printDailyReport = async (report: RunReport) => {
      await printReport(report);
      printFailure(describeFailure([report]));
    };
    if (!options.once) {
      printLine(`The console: ${cloud.signInLink({ email: "operator@localhost", groups: ["admin"] })}`);
      printLine("The link signs you in once. Later, open the console at its address:");
      printLine(`  ${cloud.apiUrl}/console`);
    }
    printLine(`Ingather is up after ${Math.round(performance.now())} ms. State is kept in ${stateDir}/.`);
    const imported = feeds.length > 0 ? undefined : await loadImportedSources();
    if (imported !== undefined) {
      printLine(`${pluralize(imported.length, "live source")} of the imported configuration.`);
    } else if (feeds.length === 0) {
      demo = await openDemo(options);
      printLine(`The demo journal is at ${demo.site.origin}/, its feed at ${demo.site.feedUrl}.`);
      printLine(`The demo's OAI-PMH repository is at ${demo.site.oaiUrl}; it changes every 15 s.`);
    }
    const localSources = demo === undefined ? feeds.map(feedSource) : [demoSource(demo.site.feedUrl)];
    const urls = [
      ...localSources.map(({ url }) => url),
      ...(demo?.rottingSite ? [demo.rottingSite.origin] : []),
    ].map((url) => new URL(url));
    const privateHosts = [
      ...urls.filter(namesPrivateHost).map(hostKey),
      ...options.privateHosts,
      ...(options.allowsPrivateSources ? (imported ?? localSources).map(({ url }) => hostKeyOf(url)) : []),
      ...probedHosts,
    ];
    cloud.setVariable(variables.allowedPrivateHosts, privateHosts.join(","));
    if (demo?.sparql !== undefined) cloud.setVariable(variables.sparqlEndpoint, demo.sparql.url);
    const sources = imported ?? localSources;
    if (imported === undefined) await storeConfiguration(localSources, [], { ...localGroup, userAgent });
    // The supplement is on the host of the demo's journal.
    if (demo !== undefined) localSources.push(await storeDemoSupplement(demo.site.supplementFeedUrl));
    cloud.resumePolling();
    const asksPublicHosts =
      imported?.length || localSources.some(({ url }) => !namesPrivateHost(new URL(url)));
    // Imported sources use the User-Agent of their group.
    const agents = imported?.map((source) => source.userAgent) ?? [userAgent];
    if (asksPublicHosts && !agents.every(namesContact))
      console.error(colored("yellow", contactAdvice, process.stderr));
    const mailFolder = join(stateDir, "received");
    // The run reads these mails, so they are stored before it.
    await receiveMail(mailFolder);
    if (!options.once) {
      // Printed before the run: the API reports the progress of a long run.
      printLine(`The API is at ${cloud.apiUrl}. An operator's token, valid for an hour:`);
      printLine(await cloud.issueToken({ sub: "operator@localhost" }));
      printLine(`Try: curl -H "Authorization: Bearer TOKEN" ${cloud.apiUrl}/deliveries`);
    }
    if (probeUrls.length > 0) {
      const { watchNetwork } = await import("./start/watch-network.ts");
      const { networkFlag } = await import("../shared/adapters/aws/gate/network-store.ts");
      const flag = networkFlag();
      goOnBeside(watchNetwork({ cloud, flag, print: printLine, signal: untilEnd }));
    }
    if (!options.once) {
      const sweeps = await startSweeps(options, { cloud, rottingSite: demo?.rottingSite, signal: untilEnd });
      if (sweeps !== undefined) goOnBeside(sweeps.work);
    }
    const reports = await runDelivery(sources, { print: printLine, live, signal });
    for (const report of reports) await printReport(report);
    printLine(`Mails: ${join(stateDir, "mail")}/  Logs: ${join(stateDir, "logs")}/`);
    const failure = describeFailure(reports);
    printFailure(failure);
    if (options.once) return failure === undefined ? 0 : 1;
    if (demo !== undefined) {
      const { watchPapers } = await import("./start/watch-papers.ts");
      goOnBeside(watchPapers(demo.site.oaiUrl, { print: printLine, signal: untilEnd }));
      const { watchSnapshot } = await import("./start/watch-snapshot.ts");
      goOnBeside(watchSnapshot(demo.site.origin, { print: printLine, signal: untilEnd }));
    }

    printLine("");
    printLine("Ingather stays up and delivers daily at 20:00. Ctrl-C stops it.");
    await Promise.all([
      watchRuns(printDailyReport, signal),
      watchMailFolder(mailFolder, { print: printLine, signal }),
      ...beside,
    ]);
    return 0;
  } finally {
    ended.abort();
    await Promise.allSettled(beside);
    await replay?.close();
    await cloud.stop();
    await demo?.site.close();
    await demo?.rottingSite?.close();
    await demo?.sparql?.close();
  }
}

/**
 * Starts the sweeps that are more frequent than in production: of the demo's collection, or with `--every`. They do not
 * wait for the first run, which may take hours.
 * @returns undefined if there are none; `work` ends with the signal
 */
async function startSweeps(
  options: StartOptions,
  {
    cloud,
    rottingSite,
    signal,
  }: { cloud: LocalCloud; rottingSite: LoopbackServer | undefined; signal: AbortSignal },
): Promise<{ work: Promise<void> } | undefined> {
  if (rottingSite !== undefined) {
    const everyMs = demoSweepEveryMs(options);
    printLine(
      `A collection of ${rottingSite.origin}/ is checked every ${everyMs / 1000} s: watch it being suppressed and restored.`,
    );
    const { watchRottingCollection } = await import("./start/rotting-collection.ts");
    return { work: watchRottingCollection(rottingSite.origin, { cloud, everyMs, print: printLine, signal }) };
  }
  if (options.sweepEveryMs === undefined) return undefined;
  const { runOften } = await import("./start/run-often.ts");
  printLine(`Collections are swept every ${options.sweepEveryMs / 1000} s.`);
  return { work: runOften(functionNames.sweepCollections, options.sweepEveryMs, { cloud, signal }) };
}

/** Prints the errors that functions log, so that users need not open the logs. */
function printFunctionError({ functionName, level, message, error, detail }: FunctionLog): void {
  if (level !== "ERROR" && level !== "FATAL") return;
  // Errors at load time are logged as objects, by the runtime.
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  const parts = [functionName, message, error, detail].filter((part) => part !== undefined).map(text);
  live?.clear();
  console.error(colored("yellow", parts.join(": "), process.stderr));
}

interface Demo {
  site: DemoSite;
  /** Absent with --once, which ends before the first change. */
  rottingSite: LoopbackServer | undefined;
  /** Absent with --once and with an endpoint of the user's. */
  sparql: LocalSparqlEndpoint | undefined;
}

/** How often the demo's rotting collection is swept. */
function demoSweepEveryMs({ sweepEveryMs = 10_000 }: StartOptions): number {
  return sweepEveryMs;
}

async function openDemo(options: StartOptions): Promise<Demo> {
  const site = await onPreferredPort(
    { siteName: "demo journal", preferredPort: options.demoPort, print: printLine },
    (port) => startDemoSite({ port }),
  );
  if (options.once) return { site, rottingSite: undefined, sparql: undefined };
  const rottingSite = await openRottingSite(options);
  const sparql = options.sparql === undefined ? await openSparql(site, options) : undefined;
  return { site, rottingSite, sparql };
}

/** The SPARQL endpoint of the demo, which keeps what is registered. It knows one set of the demo's site as published. */
async function openSparql(
  site: DemoSite,
  { stateDir, demoPort }: StartOptions,
): Promise<LocalSparqlEndpoint> {
  const { startSparqlEndpoint } = await import("./demo/sparql-endpoint.ts");
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

/** The pages of the rotting demo site are alive for two sweeps, dead for two, then alive again. */
function openRottingSite(options: StartOptions): Promise<LoopbackServer> {
  const everyMs = demoSweepEveryMs(options);
  const preferredPort = options.demoPort === 0 ? 0 : options.demoPort + 1;
  const rot = { rotsAfterMs: 1.5 * everyMs, rotsForMs: 2 * everyMs };
  return onPreferredPort({ siteName: "rotting demo site", preferredPort, print: printLine }, (port) =>
    startRottingSite({ port, ...rot }),
  );
}

async function main(): Promise<number> {
  // Nearly all modules are loaded after this one.
  cacheCompiledModules();
  const stop = stopOnSignals();
  process.once("uncaughtException", (error) => {
    console.error(colored("red", `Ingather stopped: ${adviseOnState(error)}`, process.stderr));
    process.exit(1);
  });
  try {
    const options = parseStartOptions(process.argv.slice(2));
    if (options === undefined) {
      printLine(startUsage);
      return 0;
    }
    return await start(options, stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return stoppedExitCode(stop.signal);
    console.error(colored("red", error instanceof Error ? error.message : String(error), process.stderr));
    return 1;
  }
}

// All resources are closed. A connection that a host keeps open must not keep the process alive.
process.exit(await main());
