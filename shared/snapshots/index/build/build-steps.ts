import { inParallel } from "../../../core/in-parallel.ts";
import { parseJson } from "../../../core/parse-json.ts";
import { type IndexManifest, manifestName } from "../index-files.ts";
import type { JobCounts } from "../shards/join-captures.ts";
import { addCounts } from "./add-counts.ts";
import type { BuildPorts, WrittenFiles } from "./build-ports.ts";
import { buildShard, type ShardReport } from "./build-shard.ts";
import { type DivisionOutcome, divideInput, type LineCounts } from "./divide-input.ts";
import type { IndexPlan } from "./index-plan.ts";
import { whyNothingCounts } from "./nothing-counts.ts";

/**
 * The steps of a build, on one machine and in the cloud: each division, the end of the divisions, each shard,
 * and the end of the index. A step stores its outcome as a file, so that a repeated step returns at once.
 */

/** The counts of a job: what was read, and what was left out and why. */
export interface JobReport extends LineCounts, JobCounts {
  jobId: string;
}

/** A job that is missing from the index, and the reason. */
export interface MissingJob {
  jobId: string;
  reason: string;
}

/**
 * A step that runs in parallel with others of its kind: first divisions and then, after the divisions have
 * ended, shards.
 */
export type BuildStep = { division: number } | { shard: number };

export type StepResult = DivisionOutcome | ShardReport;

/** The outcome of the divisions. */
interface Divided {
  /** The number of runs of each division; 0 for a division of a missing job. */
  runs: number[];
  /** The jobs with an unreadable file, or without any usable line. */
  missing: MissingJob[];
}

const readsAtOnce = 16;

const dividedName = "divided.json";
const divisionName = (division: number) => `division-${division}.json`;
const shardName = (shard: number) => `shard-${shard}.json`;

/** Runs a step, unless it has an outcome. */
export function doStep(plan: IndexPlan, step: BuildStep, ports: BuildPorts): Promise<StepResult> {
  if ("shard" in step) return buildShardOnce(plan, step.shard, ports);
  return once(ports.work, divisionName(step.division), () => divideInput(plan, step.division, ports));
}

/** Ends the divisions. Called when all of them are done. */
export function endDivisions(plan: IndexPlan, ports: BuildPorts): Promise<Divided> {
  return once(ports.work, dividedName, async () => {
    const outcomes = await readOutcomes<DivisionOutcome>(plan.divisions.length, divisionName, ports);
    const reasons = new Map<number, string>();
    for (const [number, outcome] of outcomes.entries()) {
      const { job } = plan.divisions[number] as IndexPlan["divisions"][number];
      if (outcome.type === "unreadable") reasons.set(job, `${outcome.file}: ${outcome.reason}`);
    }
    const ofJobs = Map.groupBy(outcomes.entries(), ([number]) => plan.divisions[number]?.job);
    for (const [job, { files }] of plan.jobs.entries()) {
      const own = (ofJobs.get(job) ?? []).map(([, outcome]) => outcome);
      const reason = reasons.has(job) ? undefined : whyNothingCounts(files, own);
      if (reason !== undefined) reasons.set(job, reason);
    }
    const runs = outcomes.map((outcome, number) => {
      const { job } = plan.divisions[number] as IndexPlan["divisions"][number];
      return outcome.type === "unreadable" || reasons.has(job) ? 0 : outcome.runs;
    });
    const missing = [...reasons].map(([job, reason]) => ({ jobId: plan.jobs[job]?.jobId ?? "", reason }));
    return { runs, missing };
  });
}

function buildShardOnce(plan: IndexPlan, shard: number, ports: BuildPorts): Promise<ShardReport> {
  return once(ports.work, shardName(shard), async () => {
    const { runs } = await readOutcome<Divided>(dividedName, ports);
    return buildShard(plan, { shard, runs }, ports);
  });
}

/** Completes the index. Called when all shards are built. */
export async function endIndex(
  plan: IndexPlan,
  ports: BuildPorts,
): Promise<{ manifest: IndexManifest; jobs: JobReport[]; missing: MissingJob[] }> {
  const { missing } = await readOutcome<Divided>(dividedName, ports);
  const jobs = plan.jobs.map(({ jobId }) => emptyReport(jobId));
  // Only one outcome is in memory at a time, because there may be as many counts as jobs times shards.
  await eachOutcome<DivisionOutcome>(plan.divisions.length, divisionName, ports, (outcome, number) => {
    const job = jobs[plan.divisions[number]?.job ?? -1];
    if (job !== undefined) addLines(job, outcome);
  });
  let entries = 0;
  await eachOutcome<StoredShardReport>(plan.shards, shardName, ports, (stored) => {
    const report = currentForm(stored);
    entries += report.entries;
    for (const [number, job] of jobs.entries()) {
      job.indexed += report.indexed[number] as number;
      job.withoutOrigin += report.withoutOrigin[number] as number;
    }
  });
  const missingIds = new Set(missing.map(({ jobId }) => jobId));
  const held = jobs.filter(({ jobId }) => !missingIds.has(jobId));
  const manifest: IndexManifest = {
    format: "ingather-deduplication-index/1",
    shards: plan.shards,
    entries,
    jobs: held.map(({ jobId }) => jobId),
  };
  await ports.index.write(manifestName, [Buffer.from(JSON.stringify(manifest))]);
  return { manifest, jobs: held, missing };
}

/** Runs a step, or returns its stored outcome if it has one. */
async function once<Result>(work: WrittenFiles, name: string, step: () => Promise<Result>): Promise<Result> {
  const known = await work.read(name);
  if (known !== undefined) return parseJson(known) as Result;
  const result = await step();
  await work.write(name, [Buffer.from(JSON.stringify(result))]);
  return result;
}

async function readOutcome<Outcome>(name: string, { work }: BuildPorts): Promise<Outcome> {
  const content = await work.read(name);
  if (content === undefined) throw new Error(`the build of an index lacks ${name}`);
  return parseJson(content) as Outcome;
}

async function readOutcomes<Outcome>(
  count: number,
  name: (number: number) => string,
  ports: BuildPorts,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = new Array(count);
  await eachOutcome<Outcome>(count, name, ports, (outcome, number) => {
    outcomes[number] = outcome;
  });
  return outcomes;
}

/** Passes on the outcomes of all steps of a kind, in any order, without keeping any in memory. */
async function eachOutcome<Outcome>(
  count: number,
  name: (number: number) => string,
  ports: BuildPorts,
  use: (outcome: Outcome, number: number) => void,
): Promise<void> {
  const numbers = Array.from({ length: count }, (_, number) => number);
  await inParallel(numbers, readsAtOnce, async (number) => {
    use(await readOutcome<Outcome>(name(number), ports), number);
  });
}

/**
 * The stored report of a shard. A build that an earlier version began has the counts of each job as an
 * object.
 */
type StoredShardReport = ShardReport | { entries: number; jobs: JobCounts[] };

function currentForm(report: StoredShardReport): ShardReport {
  if (!("jobs" in report)) return report;
  const { entries, jobs } = report;
  return {
    entries,
    indexed: jobs.map(({ indexed }) => indexed),
    withoutOrigin: jobs.map(({ withoutOrigin }) => withoutOrigin),
  };
}

function emptyReport(jobId: string): JobReport {
  return {
    jobId,
    lines: 0,
    text: 0,
    skippedLogLines: {},
    skippedCdxLines: {},
    indexed: 0,
    withoutOrigin: 0,
  };
}

function addLines(job: JobReport, outcome: DivisionOutcome): void {
  if (outcome.type === "unreadable") return;
  job.lines += outcome.lines;
  job.text += outcome.text;
  addCounts(job.skippedLogLines, outcome.skippedLogLines);
  addCounts(job.skippedCdxLines, outcome.skippedCdxLines);
}
