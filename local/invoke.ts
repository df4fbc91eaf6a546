import { join } from "node:path";
import { parseArgs } from "node:util";
import { InputError } from "../shared/core/errors.ts";
import { functionNames, variables } from "../shared/names.ts";
import type { FunctionLog } from "./cloud/lambda/function-log.ts";
import { onPreferredPort } from "./demo/preferred-port.ts";
import { type DemoSite, demoPort, startDemoSite } from "./demo/site.ts";
import { runIdsInEvent, unfinishedReason } from "./invoke/invocation.ts";
import { readEvent } from "./invoke/read-event.ts";
import { isSample, precedingSamples } from "./invoke/samples.ts";
import { openIdleCloud } from "./open-cloud.ts";
import { demoCollection, demoSource } from "./start/seed.ts";

const usage = `npm run invoke -- FUNCTION EVENT.json [--state DIR] [--port N]

Runs one function in the local cloud with the event of a file (samples are in events/), and prints its response. The demo
journal and its configuration are available, unless a configuration was imported. The function's log goes to stderr.
Queues are not polled: the messages that the function sends wait for the next npm start.

  --state DIR     keep all state in DIR (default .ingather)
  --port N        port of the demo journal (default ${demoPort}, which the samples use; a free port if it is taken)
  --help          show this

The samples of one run, in the order in which to invoke them: ${[...precedingSamples("send-report"), "send-report"].join(", ")}.

Exit code: 0 done; 1 not done, because messages were returned to the queue, a request was refused (status 400 and above),
or the data that the event refers to do not exist; 2 wrong use.

FUNCTION is one of: ${Object.values(functionNames).map(shortName).join(", ")}`;

/** Removes the prefix: `ingather-read-feed` → `read-feed`. */
function shortName(functionName: string): string {
  return functionName.replace(/^ingather-/, "");
}

/** Prints the reason. For a sample, also prints the samples to invoke first. */
function reportNotDone(why: string, before: string[]): 1 {
  console.error(why);
  if (before.length > 0) {
    console.error(
      `this sample needs the results of other samples; first invoke these, in this order: ${before.join(", ")}`,
    );
  }
  return 1;
}

/** Returns whether the command line, or a file that it names, is wrong. */
function isUsageError(error: unknown): boolean {
  return error instanceof InputError || String(Object(error).code).startsWith("ERR_PARSE_ARGS");
}

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      state: { type: "string", default: ".ingather" },
      port: { type: "string", default: String(demoPort) },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const [name, file] = positionals;
  const functionName = Object.values(functionNames).find((known) => shortName(known) === name);
  if (functionName === undefined || name === undefined || file === undefined) {
    console.error(usage);
    return 2;
  }
  if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535) {
    throw new InputError("--port", values.port, "must be a port number");
  }
  const event = await readEvent(file, name);
  const onLog = (line: FunctionLog) => console.error(JSON.stringify(line));
  const cloud = await openIdleCloud(values.state, { onLog });
  let site: DemoSite | undefined;
  try {
    const { loadImportedSources, storeConfiguration } = await import("./start/run-delivery.ts");
    // As in `npm start`, an imported configuration replaces the demo.
    if ((await loadImportedSources()) === undefined) {
      site = await onPreferredPort(
        { siteName: "demo journal", preferredPort: Number(values.port), print: console.error },
        (port) => startDemoSite({ port }),
      );
      cloud.setVariable(variables.allowedPrivateHosts, new URL(site.origin).host);
      await storeConfiguration([demoSource(site.feedUrl)], [demoCollection]);
    }
    const before = isSample(file, name) ? precedingSamples(name) : [];
    const { runStore } = await import("../shared/adapters/records/run-store.ts");
    for (const runId of runIdsInEvent(event)) {
      if ((await runStore().get(runId)) !== undefined) continue;
      return reportNotDone(
        `nothing was invoked, because the run ${runId} does not exist in ${values.state}`,
        before,
      );
    }
    const answer = await cloud.invoke(functionName, event);
    console.log(JSON.stringify(answer, null, 2));
    // The mails link to the exported files.
    const { exportFiles } = await import("./start/export-files.ts");
    for (const path of await exportFiles(join(values.state, "deliveries"))) console.error(`File: ${path}`);
    const unfinished = unfinishedReason(answer);
    return unfinished === undefined ? 0 : reportNotDone(unfinished, before);
  } finally {
    await cloud.stop();
    await site?.close();
  }
}

process.exit(
  await main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    return isUsageError(error) ? 2 : 1;
  }),
);
