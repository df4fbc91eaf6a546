/**
 * Measures checks of OAI-PMH sets over loopback: counting the records with an ARK, oai_dc in pages of 100.
 * `npx ingather check-set --json` is compared with lxml in Python, which does only the count, and with npm
 * oai-pmh. Rounds alternate, so that a busy machine slows all contestants; the first round is a warm-up. Then
 * measures the memory of checks of one and of ten times as many records, each in a separate process.
 *
 * Usage: npx node bench/check-set.ts [records] [--python PYTHON] [--npm FOLDER]
 *
 * PYTHON is an interpreter with lxml: python3 -m venv V && V/bin/pip install lxml. npm oai-pmh is not a
 * dependency of Ingather, because its own dependencies are deprecated. For the comparison, run: npm install
 * --prefix FOLDER --ignore-scripts oai-pmh
 */
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { runCommandLine } from "../local/cli/commands/run-command-line.ts";
import { loadNpmOaiPmh, serveLists } from "./oai-repository.ts";

const roundCount = 5;

/** Counts the records with an ARK in the set at a URL, and returns the duration. */
type Count = (url: string) => Promise<{ count: number; seconds: number }>;

/** Builds a record. Two of three records have an ARK. */
function buildRecord(number: number): string {
  const ark =
    number % 3 === 0
      ? ""
      : `<dc:relation>https://archiveswest.example/ark:/80444/xv${number % 1000}</dc:relation>\n`;
  return `<record><header><identifier>oai:repository.example:${number}</identifier><datestamp>2026-04-01T12:00:00Z</datestamp><setSpec>photographs</setSpec></header>
<metadata><oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/oai_dc/ http://www.openarchives.org/OAI/2.0/oai_dc.xsd">
<dc:title>The harbour and its ships, ${number} &amp; after</dc:title>
<dc:creator>Ångström, Ida</dc:creator>
<dc:subject>Harbours</dc:subject>
<dc:subject>Ships; Piers</dc:subject>
<dc:description>A view of the harbour from the hill, taken in the morning, with the fishing fleet at its moorings and the cannery behind it.</dc:description>
<dc:publisher>Library</dc:publisher>
<dc:date>19${10 + (number % 80)}</dc:date>
<dc:type>Image</dc:type>
<dc:format>image/jpeg</dc:format>
<dc:identifier>https://repository.example/items/${number}</dc:identifier>
<dc:relation>Roach Collection</dc:relation>
${ark}<dc:rights>In copyright</dc:rights>
</oai_dc:dc></metadata></record>
`;
}

function timed(count: (url: string) => Promise<number>): Count {
  return async (url) => {
    const startedAt = performance.now();
    return { count: await count(url), seconds: (performance.now() - startedAt) / 1000 };
  };
}

const ours = timed(async (url) => {
  let written = "";
  await runCommandLine(["check-set", url, "--json", "--delay", "0", "--allow-private"], {
    stdin: (async function* () {})(),
    stdout: {
      write(content: string | Uint8Array) {
        written += content;
      },
    },
    stderr: { write: () => undefined },
    signal: new AbortController().signal,
  });
  return JSON.parse(written).count;
});

/**
 * Starts the count in Python. @param python an interpreter that has lxml; it keeps running, so that its start
 * is not measured
 */
function lxml(python: string): { count: Count; close(): void } {
  const child = spawn(python, [join(import.meta.dirname, "check-set-lxml.py")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    async count(url) {
      child.stdin.write(`${url}\n`);
      const [count = 0, seconds = 0] = String((await lines.next()).value)
        .split(" ")
        .map(Number);
      return { count, seconds };
    },
    close: () => void child.kill(),
  };
}

async function npmOaiPmh(folder: string): Promise<Count> {
  const OaiPmh = await loadNpmOaiPmh(folder);
  return timed(async (url) => {
    const { origin, searchParams } = new URL(url);
    const set = searchParams.get("set");
    let count = 0;
    for await (const record of new OaiPmh(`${origin}/oai`).listRecords({ metadataPrefix: "oai_dc", set })) {
      const relations = [record.metadata["oai_dc:dc"]["dc:relation"]].flat();
      if (relations.some((relation: string) => relation.includes("ark:/"))) count++;
    }
    return count;
  });
}

async function measure(records: number, { python, npm }: { python?: string; npm?: string }): Promise<void> {
  const server = fork(import.meta.filename, ["serve"]);
  const [port] = (await once(server, "message")) as [number];
  const urlOf = (size: number) =>
    `http://127.0.0.1:${port}/oai?verb=ListRecords&metadataPrefix=oai_dc&set=${size}`;
  const withLxml = python === undefined ? undefined : lxml(python);
  const contestants: [string, Count][] = [
    ["ingather check-set", ours],
    ...(withLxml === undefined ? [] : [["lxml", withLxml.count] as [string, Count]]),
    ...(npm === undefined ? [] : [["npm oai-pmh", await npmOaiPmh(npm)] as [string, Count]]),
  ];
  const best = new Map<string, number>();
  for (let round = 0; round < roundCount; round++) {
    for (const [name, count] of contestants) {
      // The first round is a warm-up.
      const size = round === 0 ? Math.ceil(records / 5) : records;
      const found = await count(urlOf(size));
      const expected = size - Math.ceil(size / 3);
      if (found.count !== expected) throw new Error(`${name} counted ${found.count}, not ${expected}`);
      if (round > 0) best.set(name, Math.min(found.seconds, best.get(name) ?? Number.POSITIVE_INFINITY));
    }
  }
  withLxml?.close();
  const base = best.get("lxml") ?? best.get("ingather check-set") ?? 0;
  for (const [name, seconds] of best) {
    const rate = (records / seconds / 1000).toFixed(0);
    console.log(
      `${name.padEnd(20)} ${seconds.toFixed(2)} s  ${rate.padStart(4)} thousand records/s  × ${(seconds / base).toFixed(2)}`,
    );
  }
  for (const size of [records, 10 * records]) {
    const child = fork(import.meta.filename, ["memory", urlOf(size)]);
    const [{ resident, live }] = (await once(child, "message")) as [Memory];
    console.log(`${size} records: ${resident.toFixed(0)} MB at most, of them ${live.toFixed(0)} MB live`);
  }
  server.kill();
}

/** The peak memory of the process, and the peak of its heap after garbage collections, in MB. */
interface Memory {
  resident: number;
  live: number;
}

/** Garbage is collected only during a second run, so that the memory of the first run is that of a user. */
async function reportMemory(url: string): Promise<void> {
  await ours(url);
  const resident = process.resourceUsage().maxRSS / 1024;
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  let live = 0;
  const timer = setInterval(() => {
    collect();
    live = Math.max(live, process.memoryUsage().heapUsed / 2 ** 20);
  }, 300);
  await ours(url);
  clearInterval(timer);
  process.send?.({ resident, live } satisfies Memory, () => process.exit());
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { python: { type: "string" }, npm: { type: "string" } },
});
const [mode, url = ""] = positionals;
if (mode === "serve") await serveLists(buildRecord, { keepsPages: true });
else if (mode === "memory") await reportMemory(url);
else await measure(Number(mode ?? 50_000), values);
