/**
 * Measures the harvest of an OAI-PMH list over loopback: oai_dc records in pages of 100. `npx ingather
 * harvest --json` is compared with undici and a bare saxes loop, which only finds the token and counts the
 * records, and with npm oai-pmh if a folder has it. Rounds alternate, so that a busy machine slows all
 * contestants. Then runs Catmandu once for a tenth of the records, if it is installed. Then measures the
 * memory of harvests of one and of ten times as many records, each in a separate process.
 *
 * Usage: npx node bench/oai.ts [records] [folder]
 *
 * npm oai-pmh is not a dependency of Ingather, because its own dependencies are deprecated. For the
 * comparison, run: npm install --prefix FOLDER --ignore-scripts oai-pmh
 * Catmandu on Debian: apt-get install libcatmandu-oai-perl
 */
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { SaxesParser } from "saxes";
import { Client } from "undici";
import { runCommandLine } from "../local/cli/commands/run-command-line.ts";
import { loadNpmOaiPmh, serveLists } from "./oai-repository.ts";

const roundCount = 4;

function buildRecord(number: number): string {
  return `<record><header><identifier>oai:repository.example:${number}</identifier><datestamp>2026-04-01T12:00:00Z</datestamp><setSpec>articles</setSpec></header>
<metadata><oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/oai_dc/ http://www.openarchives.org/OAI/2.0/oai_dc.xsd">
<dc:title>On the makers of lanterns, part ${number} &amp; a half</dc:title>
<dc:creator>Kettle, Jo</dc:creator>
<dc:creator>Ångström, Ida</dc:creator>
<dc:subject>lanterns</dc:subject>
<dc:subject>lathes</dc:subject>
<dc:description>We describe ${number} lanterns and how they were made, by which turner, and when; the lathes on which their parts were turned are shown in the appendix, with all measurements that we could take.</dc:description>
<dc:publisher>Repository</dc:publisher>
<dc:date>2026-03-01</dc:date>
<dc:type>article</dc:type>
<dc:format>application/pdf</dc:format>
<dc:identifier>https://repository.example/items/${number}</dc:identifier>
<dc:identifier>10.5555/lantern.${number}</dc:identifier>
<dc:language>eng</dc:language>
<dc:relation>https://repository.example/items/${number}/file.pdf</dc:relation>
<dc:rights>CC BY 4.0</dc:rights>
</oai_dc:dc></metadata></record>
`;
}

type Harvest = (origin: string, records: number) => Promise<number>;

const ours: Harvest = async (origin, records) => {
  let lines = 0;
  const sink = (count: boolean) => ({
    write(content: string | Uint8Array) {
      if (count && typeof content === "string") lines += content.split("\n").length - 1;
    },
  });
  const url = `${origin}/oai?verb=ListRecords&metadataPrefix=oai_dc&set=${records}`;
  await runCommandLine(["harvest", url, "--json", "--delay", "0", "--allow-private"], {
    stdin: (async function* () {})(),
    stdout: sink(true),
    stderr: sink(false),
    signal: new AbortController().signal,
  });
  // The last line is the summary.
  return lines - 1;
};

const bareSaxes: Harvest = async (origin, records) => {
  const client = new Client(origin);
  let count = 0;
  for (let query = `metadataPrefix=oai_dc&set=${records}`; query !== ""; ) {
    const { body } = await client.request({ method: "GET", path: `/oai?verb=ListRecords&${query}` });
    const parser = new SaxesParser({ position: false });
    let text = "";
    let token = "";
    parser.on("opentag", () => {
      text = "";
    });
    parser.on("text", (more) => {
      text += more;
    });
    parser.on("closetag", ({ name }) => {
      if (name === "record") count++;
      if (name === "resumptionToken") token = text;
    });
    parser.write(await body.text()).close();
    query = token === "" ? "" : `resumptionToken=${encodeURIComponent(token)}`;
  }
  await client.close();
  return count;
};

async function npmOaiPmh(folder: string): Promise<Harvest> {
  const OaiPmh = await loadNpmOaiPmh(folder);
  return async (origin, records) => {
    let count = 0;
    const list = new OaiPmh(`${origin}/oai`).listRecords({ metadataPrefix: "oai_dc", set: String(records) });
    for await (const _record of list) count++;
    return count;
  };
}

/** Returns the seconds in which Catmandu lists the records as JSON; undefined if it is not installed. */
async function timeCatmandu(origin: string, records: number): Promise<number | undefined> {
  const source = ["OAI", "--url", `${origin}/oai`, "--set", String(records), "--metadataPrefix", "oai_dc"];
  const args = ["convert", ...source, "to", "JSON", "--line_delimited", "1"];
  const startedAt = performance.now();
  const catmandu = spawn("catmandu", args, { stdio: ["ignore", "pipe", "ignore"] });
  const started = once(catmandu, "spawn").then(
    () => true,
    () => false,
  );
  if (!(await started)) return undefined;
  let count = 0;
  for await (const _line of createInterface({ input: catmandu.stdout })) count += 1;
  if (count !== records)
    throw new Error(`Catmandu read ${count} of ${records} records; is its OAI module installed?`);
  return (performance.now() - startedAt) / 1000;
}

async function measure(records: number, folder: string | undefined): Promise<void> {
  const server = fork(import.meta.filename, ["serve"]);
  const [port] = (await once(server, "message")) as [number];
  const origin = `http://127.0.0.1:${port}`;
  const contestants: [string, Harvest][] = [
    ["undici and bare saxes", bareSaxes],
    ["ingather", ours],
    ...(folder === undefined ? [] : [["npm oai-pmh", await npmOaiPmh(folder)] as [string, Harvest]]),
  ];
  const seconds = new Map<string, number>();
  for (let round = 0; round < roundCount; round++) {
    for (const [name, harvest] of contestants) {
      // The first round is a warm-up.
      const size = round === 0 ? Math.ceil(records / 10) : records;
      const startedAt = performance.now();
      const count = await harvest(origin, size);
      if (count !== size) throw new Error(`${name} read ${count} of ${size} records`);
      const took = (performance.now() - startedAt) / 1000;
      if (round > 0) seconds.set(name, Math.min(took, seconds.get(name) ?? Number.POSITIVE_INFINITY));
    }
  }
  const base = seconds.get("undici and bare saxes") ?? 0;
  for (const [name, took] of seconds) {
    const rate = (records / took / 1000).toFixed(1);
    console.log(
      `${name.padEnd(22)} ${took.toFixed(2)} s  ${rate} thousand records/s  × ${(took / base).toFixed(2)}`,
    );
  }
  const fewer = Math.ceil(records / 10);
  const catmandu = await timeCatmandu(origin, fewer);
  const ratio = ((catmandu ?? 0) * records) / fewer / (seconds.get("ingather") ?? 1);
  console.log(
    catmandu === undefined
      ? "Catmandu is not installed: skipped"
      : `Catmandu, ${fewer} records  ${catmandu.toFixed(1)} s; ingather is ${ratio.toFixed(0)} times as fast`,
  );
  for (const size of [records, 10 * records]) {
    const child = fork(import.meta.filename, ["memory", origin, String(size)], {
      // The options with which `npx ingather` starts Node.
      execArgv: ["--max-semi-space-size=16"],
    });
    const [megabytes] = (await once(child, "message")) as [number];
    console.log(`${size} records: ${megabytes.toFixed(0)} MB at most`);
  }
  server.kill();
}

async function reportMemory(origin: string, records: number): Promise<void> {
  await ours(origin, records);
  process.send?.(process.resourceUsage().maxRSS / 1024, () => process.exit());
}

const [, , mode, ...args] = process.argv;
if (mode === "serve") await serveLists(buildRecord, { keepsPages: false });
else if (mode === "memory") await reportMemory(args[0] ?? "", Number(args[1]));
else await measure(Number(mode ?? 50_000), args[0]);
