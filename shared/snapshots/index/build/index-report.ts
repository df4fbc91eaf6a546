import type { BuildPorts } from "./build-ports.ts";
import type { JobReport, MissingJob } from "./build-steps.ts";
import type { BuiltIndex } from "./index-answer.ts";

/** The counts of a build in the cloud, for each job: what was read, and what was left out and why. */
export interface IndexReport {
  jobs: (Omit<JobReport, "jobId"> & { jobId: number })[];
  missing: { jobId: number; reason: string }[];
}

/** The name of the file with the report of an index. */
export const reportName = "report.json";

/** Reads the report of an index. Returns undefined if it is no longer stored. */
export type ReadReport = (index: BuiltIndex) => Promise<IndexReport | undefined>;

export function writeReport(
  { jobs, missing }: { jobs: readonly JobReport[]; missing: readonly MissingJob[] },
  { index }: BuildPorts,
): Promise<void> {
  const withNumber = <Job extends { jobId: string }>(job: Job) => ({ ...job, jobId: Number(job.jobId) });
  const report: IndexReport = { jobs: jobs.map(withNumber), missing: missing.map(withNumber) };
  return index.write(reportName, [Buffer.from(JSON.stringify(report))]);
}
