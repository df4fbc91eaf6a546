import { join } from "node:path";
import { pluralize } from "../shared/core/pluralize.ts";
import { functionNames, scheduleNames } from "../shared/names.ts";
import type { LocalCloud } from "./cloud/cloud.ts";
import { createFaults, type RandomFaults } from "./cloud/faults.ts";
import { cacheCompiledModules } from "./compile-cache.js";
import { closeDemo, type Demo, demoSweepEveryMs, openDemo } from "./start/demo-sites.ts";
import { probedPrivateHosts } from "./start/probed-hosts.ts";
import { parseStartOptions, type StartOptions, startUsage } from "./start/start-options.ts";
import { live, printFunctionError, printLine, printProblem } from "./start/terminal.ts";
import { WorkBeside } from "./start/work-beside.ts";
import { adviseOnLimit, adviseOnState } from "./state-advice.ts";
import { stopOnSignals, stoppedExitCode } from "./stop-signals.ts";

/** Starts Ingather on this machine, and starts a run. @returns the exit code */
async function start(options: StartOptions, signal: AbortSignal): Promise<number> {
  const faults = options.faults && createFaults(options.faults);
  if (options.faults !== undefined) {
    const { probability, seed } = options.faults;
    printLine(`Faults are injected with probability ${probability}, seed ${seed}.`);
  }
  // With --once, the process ends before anybody can look at captures.
  const replay = options.once
    ? undefined
    : await (await import("./cli/snapshots/replay/replay-beside.ts")).openReplayBeside();
  const cloud = await openStartedCloud(options, { faults, replayOrigin: replay?.origin });
  replay?.readFrom(cloud.gatewayUrl);
  const beside = new WorkBeside(signal);
  let demo: Demo | undefined;
  try {
    // Loaded late, because openCloud configures the AWS SDK of this process.
    const { loadImportedSources } = await import("./start/run-delivery.ts");
    const { storeSources } = await import("./start/store-sources.ts");
    const { receiveMail } = await import("./start/receive-mail.ts");
    if (!options.once) printConsole(cloud);
    printLine(
      `Ingather is up after ${Math.round(performance.now())} ms. State is kept in ${options.stateDir}/.`,
    );
    const imported = options.feeds.length > 0 ? undefined : await loadImportedSources();
    if (imported !== undefined) {
      printLine(`${pluralize(imported.length, "live source")} of the imported configuration.`);
    } else if (options.feeds.length === 0) demo = await openDemo(options);
    const sources = await storeSources(options, { cloud, imported, demo });
    cloud.resumePolling();
    // The mails are stored before the run that reads them.
    await receiveMail(mailFolderOf(options));
    if (!options.once) await printApi(cloud);
    await startBeside(options, { cloud, demo, beside });
    return await runAndStay(options, { sources, faults, demo, beside, signal });
  } finally {
    await beside.end();
    await replay?.close();
    await cloud.stop();
    if (demo !== undefined) await closeDemo(demo);
  }
}

async function openStartedCloud(
  options: StartOptions,
  { faults, replayOrigin }: { faults: RandomFaults | undefined; replayOrigin: string | undefined },
): Promise<LocalCloud> {
  const { openCloud } = await import("./open-cloud.ts");
  return openCloud({
    stateDir: options.stateDir,
    replayOrigin,
    apiPort: options.apiPort,
    schedules: {
      allExcept: [
        // With --once, the process ends with its own run, and would interrupt a scheduled run.
        ...(options.once ? [scheduleNames.dailyLive, scheduleNames.dailyTest] : []),
        // `watchNetwork` probes more often.
        ...(options.probeUrls.length > 0 ? [scheduleNames.probeNetwork] : []),
      ],
    },
    // Polling starts only when the permitted private hosts are known, because an imported configuration
    // replaces the demo.
    polling: false,
    translationServer: options.translationServer,
    tika: options.tika,
    sparqlEndpoint: options.sparql,
    userAgent: options.userAgent,
    allowedPrivateHosts: probedPrivateHosts(options),
    probeUrls: options.probeUrls,
    onLog: printFunctionError,
    faults,
    sesSandbox: options.sesSandbox,
    lateSchedules: options.lateSchedules,
  });
}

function printConsole(cloud: LocalCloud): void {
  printLine(`The console: ${cloud.signInLink({ email: "operator@localhost", groups: ["admin"] })}`);
  printLine("The link signs you in once. Afterwards, open the console at its address:");
  printLine(`  ${cloud.apiUrl}/console`);
}

/** Prints the address of the API before the run, because the API reports the progress of a long run. */
async function printApi(cloud: LocalCloud): Promise<void> {
  printLine(`The API is at ${cloud.apiUrl}. An operator's token, valid for an hour:`);
  printLine(await cloud.issueToken({ sub: "operator@localhost" }));
  printLine(`Try: curl -H "Authorization: Bearer TOKEN" ${cloud.apiUrl}/deliveries`);
}

function mailFolderOf({ stateDir }: StartOptions): string {
  return join(stateDir, "received");
}

/** Starts the work that does not wait for the first run, because that run may take hours. */
async function startBeside(
  options: StartOptions,
  { cloud, demo, beside }: { cloud: LocalCloud; demo: Demo | undefined; beside: WorkBeside },
): Promise<void> {
  if (options.probeUrls.length > 0) {
    const { watchNetwork } = await import("./start/watch-network.ts");
    const { networkFlag } = await import("../shared/adapters/gate/network-store.ts");
    beside.add(watchNetwork({ cloud, flag: networkFlag(), print: printLine, signal: beside.signal }));
  }
  const { watchWaits } = await import("./start/watch-waits.ts");
  beside.add(watchWaits({ print: printLine, signal: beside.signal }));
  if (!options.once) await startSweeps(options, { cloud, demo, beside });
}

/**
 * Starts sweeps that are more frequent than in production: those of the demo's collection, and those of all
 * collections with `--every`.
 */
async function startSweeps(
  options: StartOptions,
  { cloud, demo, beside }: { cloud: LocalCloud; demo: Demo | undefined; beside: WorkBeside },
): Promise<void> {
  const { signal } = beside;
  if (demo?.rottingSite !== undefined) {
    const { origin } = demo.rottingSite;
    const everyMs = demoSweepEveryMs(options);
    printLine(
      `A collection of ${origin}/ is checked every ${everyMs / 1000} s: watch it being suppressed and restored.`,
    );
    const { watchRottingCollection } = await import("./start/rotting-collection.ts");
    beside.add(watchRottingCollection(origin, { cloud, everyMs, print: printLine, signal }));
  } else if (options.sweepEveryMs !== undefined) {
    const { runOften } = await import("./start/run-often.ts");
    printLine(`Collections are swept every ${options.sweepEveryMs / 1000} s.`);
    beside.add(runOften(functionNames.sweepCollections, options.sweepEveryMs, { cloud, signal }));
  }
}

interface FirstRun {
  sources: { sourceId: string }[];
  faults: RandomFaults | undefined;
  demo: Demo | undefined;
  beside: WorkBeside;
  signal: AbortSignal;
}

/** Delivers once. Without --once, it then waits for the signal. @returns the exit code */
async function runAndStay(
  options: StartOptions,
  { sources, faults, demo, beside, signal }: FirstRun,
): Promise<number> {
  const { stateDir } = options;
  const { runDelivery } = await import("./start/run-delivery.ts");
  const { printFailure, printReport } = await import("./start/print-report.ts");
  const reports = await runDelivery(sources, { print: printLine, live, signal });
  for (const report of reports) await printReport(report, { stateDir, faults });
  printLine(`Mails: ${join(stateDir, "mail")}/  Logs: ${join(stateDir, "logs")}/`);
  const hasFailed = printFailure(reports);
  if (options.once) return hasFailed ? 1 : 0;
  if (demo !== undefined) {
    const { watchPapers } = await import("./start/watch-papers.ts");
    beside.add(watchPapers(demo.site.oaiUrl, { print: printLine, signal: beside.signal }));
    const { watchSnapshot } = await import("./start/watch-snapshot.ts");
    beside.add(watchSnapshot(demo.site.origin, { print: printLine, signal: beside.signal }));
  }
  const { watchMailFolder } = await import("./start/receive-mail.ts");
  const { watchRuns } = await import("./start/watch-runs.ts");
  printLine("");
  printLine("Ingather stays up and delivers daily at 20:00. Ctrl-C stops it.");
  await Promise.all([
    watchRuns(async (report) => {
      await printReport(report, { stateDir, faults });
      printFailure([report]);
    }, signal),
    watchMailFolder(mailFolderOf(options), { print: printLine, signal }),
    beside.all(),
  ]);
  return 0;
}

async function main(): Promise<number> {
  // Enables the compile cache before nearly all other modules are loaded.
  cacheCompiledModules();
  const stop = stopOnSignals();
  try {
    const options = parseStartOptions(process.argv.slice(2));
    if (options === undefined) {
      printLine(startUsage);
      return 0;
    }
    process.once("uncaughtException", (error) => {
      printProblem(`Ingather stopped: ${adviseOnState(error, options.stateDir)}`, "red");
      process.exit(1);
    });
    return await start(options, stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return stoppedExitCode(stop.signal);
    printProblem(adviseOnLimit(error) ?? (error instanceof Error ? error.message : String(error)), "red");
    return 1;
  }
}

// Ends the process, because a connection that a host keeps open must not keep it alive. All resources are
// closed.
process.exit(await main());
