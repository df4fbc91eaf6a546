import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { functionNames } from "../shared/names.ts";
import { demoPort, startDemoSite } from "./demo/site.ts";
import { openCloud } from "./open-cloud.ts";
import { demoCollection, demoSource } from "./seed.ts";

const usage = `npm run invoke -- FUNCTION EVENT.json [--state DIR]

Runs one function on the cloud of this machine, with the event of a file (samples are in events/), and prints its answer.
The demo journal and its configuration are there; what the function logs goes to stderr. Queues are not polled meanwhile:
what the function sends waits for the next npm start.

FUNCTION is one of: ${Object.values(functionNames).map(shortName).join(", ")}`;

/** `ingather-read-feed` is `read-feed` to people. */
function shortName(functionName: string): string {
  return functionName.replace(/^ingather-/, "");
}

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { state: { type: "string", default: ".ingather" } },
  });
  const [name, file] = positionals;
  const functionName = Object.values(functionNames).find((known) => shortName(known) === name);
  if (functionName === undefined || file === undefined) {
    console.error(usage);
    return 2;
  }
  const event: unknown = JSON.parse(readFileSync(file, "utf8"));
  // The samples speak of the demo journal at its own port.
  const site = await startDemoSite({ port: demoPort });
  const cloud = await openCloud({
    stateDir: values.state,
    apiPort: 0,
    schedules: "none",
    polling: false,
    allowedPrivateHosts: [new URL(site.origin).host],
    onLog: (line) => console.error(JSON.stringify(line)),
  });
  try {
    const { seed } = await import("./run-now.ts");
    await seed([demoSource(site.feedUrl)], [demoCollection]);
    console.log(JSON.stringify(await cloud.invoke(functionName, event), null, 2));
    return 0;
  } finally {
    await cloud.stop();
    await site.close();
  }
}

process.exit(
  await main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }),
);
