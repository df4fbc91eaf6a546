import { join } from "node:path";
import { styleText } from "node:util";
import { counted } from "../shared/core/counted.ts";
import type { RunReport } from "../shared/delivery/report/report.ts";
import { scheduleNames, variables } from "../shared/names.ts";
import { hostKey } from "../shared/web/address/host-key.ts";
import type { FunctionLog } from "./cloud/function-log.ts";
import { keepCompiled } from "./compile-cache.ts";
import { startCrumblingSite } from "./demo/crumbling-site.ts";
import type { LoopbackServer } from "./demo/loopback-server.ts";
import { onOwnPort } from "./demo/own-port.ts";
import { type DemoSite, startDemoSite } from "./demo/site.ts";
import { failureOf, summaryOf } from "./follow-run.ts";
import { type StartOptions, startOptions, startUsage } from "./options.ts";
import { namesPrivateHost } from "./private-host.ts";
import { demoSource, feedSource, localGroup } from "./seed.ts";
import { stopOnSignals, stoppedCode } from "./stop-signals.ts";
import { contactAdvice, namesContact } from "./user-agent.ts";

const say = (line: string) => console.log(line);

/** `npm start`: the whole of Ingather on this machine, and one run at once. Gives the exit code. */
async function start(options: StartOptions, signal: AbortSignal): Promise<number> {
  const { stateDir, feeds, userAgent } = options;
  const { openCloud } = await import("./open-cloud.ts");
  const cloud = await openCloud({
    stateDir,
    apiPort: options.apiPort,
    // A run that began by itself would be cut off when that which was asked for is done.
    ...(options.once && { schedules: { allBut: [scheduleNames.dailyLive, scheduleNames.dailyTest] } }),
    // Not before it is known which hosts may be private: an imported configuration has no demo beside it.
    polling: false,
    translationServer: options.translationServer,
    tika: options.tika,
    userAgent,
    allowedPrivateHosts: [],
    onLog: tellTrouble,
  });
  let demo: Demo | undefined;
  try {
    // Not before: the AWS SDK of this process is set up by now.
    const { importedSources, runNow, seed } = await import("./run-now.ts");
    const { layOut } = await import("./lay-out.ts");
    const { takeMail, watchMail } = await import("./take-mail.ts");
    const { watchRuns } = await import("./watch-runs.ts");
    const tellEnd = async (report: RunReport) => {
      for (const line of summaryOf(report)) say(line);
      for (const file of await layOut(join(stateDir, "deliveries"))) say(`File: ${file}`);
    };
    const tellFailure = (failure: string | undefined) => {
      if (failure !== undefined) console.error(styleText("red", failure));
    };
    const tellDaily = async (report: RunReport) => {
      await tellEnd(report);
      tellFailure(failureOf([report]));
    };
    say(`Ingather is up after ${Math.round(performance.now())} ms. State is kept in ${stateDir}/.`);
    const imported = feeds.length > 0 ? undefined : await importedSources();
    if (imported !== undefined) {
      say(`${counted(imported.length, "live source")} of the imported configuration.`);
    } else if (feeds.length === 0) {
      demo = await openDemo(options);
      say(`The demo journal is at ${demo.site.origin}/, its feed at ${demo.site.feedUrl}.`);
    }
    const own = demo === undefined ? feeds.map(feedSource) : [demoSource(demo.site.feedUrl)];
    const urls = [...own.map(({ url }) => url), ...(demo?.almanac ? [demo.almanac.origin] : [])].map(
      (url) => new URL(url),
    );
    const privateHosts = [...urls.filter(namesPrivateHost).map(hostKey), ...options.privateHosts];
    cloud.setVariable(variables.allowedPrivateHosts, privateHosts.join(","));
    const sources = imported ?? own;
    if (imported === undefined) await seed(own, [], { ...localGroup, userAgent });
    cloud.resumePolling();
    const asksOthers = imported?.length || own.some(({ url }) => !namesPrivateHost(new URL(url)));
    // Imported sources are asked as their groups say.
    const agents = imported?.map((source) => source.userAgent) ?? [userAgent];
    if (asksOthers && !agents.every(namesContact)) console.error(styleText("yellow", contactAdvice));
    const mailFolder = join(stateDir, "received");
    // Before the run that is to read them.
    await takeMail(mailFolder);
    if (!options.once) {
      // Not after the run: who wants to watch a long one asks the API.
      say(`The API is at ${cloud.apiUrl}. An operator's token, good for an hour:`);
      say(await cloud.issueToken({ sub: "operator@localhost" }));
      say(`Try: curl -H "Authorization: Bearer TOKEN" ${cloud.apiUrl}/deliveries`);
    }
    const reports = await runNow(sources, { tell: say, signal });
    for (const report of reports) await tellEnd(report);
    say(`Mails: ${join(stateDir, "mail")}/  Logs: ${join(stateDir, "logs")}/`);
    const failure = failureOf(reports);
    tellFailure(failure);
    if (options.once) return failure === undefined ? 0 : 1;

    say("");
    say("Ingather stays up and delivers daily at 20:00. Ctrl-C stops it.");
    const watching = [watchRuns(tellDaily, signal), watchMail(mailFolder, { tell: say, signal })];
    if (demo?.almanac !== undefined) {
      const { almanac } = demo;
      const everyMs = demoEveryMs(options);
      say(
        `A collection of ${almanac.origin}/ is checked every ${everyMs / 1000} s: watch it crumble and come back.`,
      );
      const { watchAlmanac } = await import("./almanac.ts");
      watching.push(watchAlmanac(almanac.origin, { cloud, everyMs, tell: say, signal }));
    } else if (options.sweepEveryMs !== undefined) {
      const { sweepOften } = await import("./sweep-often.ts");
      say(`Collections are swept every ${options.sweepEveryMs / 1000} s.`);
      watching.push(sweepOften(options.sweepEveryMs, { cloud, signal }));
    }
    await Promise.all(watching);
    return 0;
  } finally {
    await cloud.stop();
    await demo?.site.close();
    await demo?.almanac?.close();
  }
}

/** What a function logs as an error is told at once; a person who waits should not have to look into the logs. */
function tellTrouble({ functionName, level, message, error, detail }: FunctionLog): void {
  if (level !== "ERROR" && level !== "FATAL") return;
  // Errors at load time are logged as objects, by the runtime.
  const text = (part: unknown) => (typeof part === "string" ? part : JSON.stringify(part));
  const parts = [functionName, message, error, detail].filter((part) => part !== undefined).map(text);
  console.error(styleText("yellow", parts.join(": ")));
}

interface Demo {
  site: DemoSite;
  /** Absent for a start that ends before there is something to watch. */
  almanac: LoopbackServer | undefined;
}

/** How often the demo's crumbling collection is swept. */
function demoEveryMs({ sweepEveryMs = 10_000 }: StartOptions): number {
  return sweepEveryMs;
}

async function openDemo(options: StartOptions): Promise<Demo> {
  const site = await onOwnPort({ what: "demo journal", ownPort: options.demoPort, tell: say }, (port) =>
    startDemoSite({ port }),
  );
  return { site, almanac: options.once ? undefined : await openAlmanac(options) };
}

/** The almanac is whole for two looks, gone for two, and then back. */
function openAlmanac(options: StartOptions): Promise<LoopbackServer> {
  const everyMs = demoEveryMs(options);
  const ownPort = options.demoPort === 0 ? 0 : options.demoPort + 1;
  const rot = { rotsAfterMs: 1.5 * everyMs, rotsForMs: 2 * everyMs };
  return onOwnPort({ what: "almanac", ownPort, tell: say }, (port) => startCrumblingSite({ port, ...rot }));
}

async function main(): Promise<number> {
  // Nearly all modules are loaded later than this one.
  keepCompiled();
  const stop = stopOnSignals();
  process.once("uncaughtException", (error) => {
    console.error(
      styleText(
        "red",
        `Ingather broke off: ${error.message}. If the next start does so too, its state is damaged: delete the state folder.`,
      ),
    );
    process.exit(1);
  });
  try {
    const options = startOptions(process.argv.slice(2));
    if (options === undefined) {
      say(startUsage);
      return 0;
    }
    return await start(options, stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return stoppedCode(stop.signal);
    console.error(styleText("red", error instanceof Error ? error.message : String(error)));
    return 1;
  }
}

// Everything of ours is closed by now; a connection that a host keeps open must not keep us.
process.exit(await main());
