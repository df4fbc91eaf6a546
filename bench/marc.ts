/**
 * Measures reading, writing and validating MARC-21: `npx node bench/marc.ts`. Contestants alternate, so that other load on
 * the machine affects all. The median of the rounds counts; for two contestants, the median of each round's ratio.
 */
import { createRequire } from "node:module";
import { SaxesParser } from "saxes";
import { compileRules } from "../shared/deliver/validation/rule-set.ts";
import { validateRecord } from "../shared/deliver/validation/validate-record.ts";
import { readIso2709 } from "../shared/marc/iso2709-reader.ts";
import { readMarcXml } from "../shared/marc/marcxml-reader.ts";
import { writeMarcXml } from "../shared/marc/marcxml-writer.ts";
import type { ReadOutcome } from "../shared/marc/read-outcome.ts";
import { compareWithMarcLint, compareWithYaz } from "./marc-processes.ts";
import { sampleRules } from "./marc-rules.ts";
import { isoOf, sampleRecords } from "./marc-samples.ts";

const warmUpRounds = 3;
const rounds = 15;
const records = sampleRecords(5_000);
const xml = chunksOf(writeMarcXml(records));
const iso = chunksOf(isoOf(records));
const rules = compileRules(sampleRules);

const marcjs = createRequire(import.meta.url)("marcjs") as {
  Marc: { format(record: MarcjsRecord, type: "iso2709" | "marcxml"): string };
  Record: new () => MarcjsRecord;
};
interface MarcjsRecord {
  leader: string;
  fields: string[][];
}
const marcjsRecords = records.map(({ leader, control, fields }) =>
  Object.assign(new marcjs.Record(), {
    leader,
    fields: [
      ...control,
      ...fields.map(([tag, indicators, subfields]) => [tag, indicators, ...subfields.flat()]),
    ],
  }),
);

const jobs = {
  "objects → MARCXML": () => writeMarcXml(records),
  "objects → MARCXML, marcjs": () =>
    marcjsRecords.map((record) => Buffer.from(marcjs.Marc.format(record, "marcxml"))),
  "objects → ISO 2709": () => isoOf(records),
  "objects → ISO 2709, marcjs": () =>
    marcjsRecords.map((record) => Buffer.from(marcjs.Marc.format(record, "iso2709"))),
  "MARCXML → objects": () => readAll(readMarcXml(xml)),
  "MARCXML, a saxes loop that does nothing": () => parseXml(false),
  "MARCXML, a saxes loop that reads the attributes": () => parseXml(true),
  "ISO 2709 → objects": () => readAll(readIso2709(iso)),
  "validation, 100 rules": () => records.map((record) => validateRecord(record, { source: "4711", rules })),
};
type Job = keyof typeof jobs;

const timesMs = new Map<string, number[]>(Object.keys(jobs).map((job) => [job, []]));
for (let round = -warmUpRounds; round < rounds; round++) {
  for (const [job, run] of Object.entries(jobs)) {
    const start = performance.now();
    await run();
    if (round >= 0) timesMs.get(job)?.push(performance.now() - start);
  }
}
for (const [job, times] of timesMs) {
  const perSecond = Math.round((records.length / median(times)) * 1000).toLocaleString("en");
  console.log(`${job.padEnd(50)} ${perSecond} records/s`);
}
report(
  "objects → MARCXML, times the speed of marcjs (goal ≥ 2)",
  "objects → MARCXML, marcjs",
  "objects → MARCXML",
);
report(
  "objects → ISO 2709, times the speed of marcjs (goal ≥ 1.5)",
  "objects → ISO 2709, marcjs",
  "objects → ISO 2709",
);
report(
  "MARCXML → objects, time over the empty saxes loop (goal ≤ 1.1)",
  "MARCXML → objects",
  "MARCXML, a saxes loop that does nothing",
);
report(
  "MARCXML → objects, time over the loop with attributes",
  "MARCXML → objects",
  "MARCXML, a saxes loop that reads the attributes",
);
compareWithYaz();
compareWithMarcLint();

function report(what: string, over: Job, under: Job): void {
  const [above = [], below = []] = [timesMs.get(over), timesMs.get(under)];
  const ratios = above.map((time, round) => time / (below[round] ?? Number.NaN));
  console.log(`${what}: ${median(ratios).toFixed(2)}`);
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

function chunksOf(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, index) =>
    bytes.subarray(index * 65_536, (index + 1) * 65_536),
  );
}

async function readAll(outcomes: AsyncIterable<ReadOutcome>): Promise<void> {
  for await (const outcome of outcomes) {
    if (outcome.type !== "record") throw new Error(outcome.reason);
  }
}

function parseXml(withAttributes: boolean): number {
  const parser = new SaxesParser();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let characters = 0;
  parser.on("opentag", ({ name, attributes }) => {
    characters += name.length;
    if (withAttributes) characters += (attributes.code ?? attributes.tag ?? "").length;
  });
  parser.on("text", (text) => {
    characters += text.length;
  });
  parser.on("closetag", ({ name }) => {
    characters += name.length;
  });
  for (const chunk of xml as Iterable<Uint8Array>) parser.write(decoder.decode(chunk, { stream: true }));
  parser.close();
  return characters;
}
