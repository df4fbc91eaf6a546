import { join } from "node:path";
import type { RunReport } from "../../shared/deliver/report/report.ts";
import { describeFaults, type RandomFaults } from "../cloud/faults.ts";
import { exportFiles } from "./export-files.ts";
import { describeFailure, describeRun } from "./follow-run.ts";
import { printLine, printProblem } from "./terminal.ts";

/** Prints the results of a run, and the paths of its files. */
export async function printReport(
  report: RunReport,
  { stateDir, faults }: { stateDir: string; faults: RandomFaults | undefined },
): Promise<void> {
  for (const line of describeRun(report)) printLine(line);
  if (faults !== undefined) printLine(`Faults so far: ${describeFaults(faults.counts())}`);
  for (const file of await exportFiles(join(stateDir, "deliveries"))) printLine(`File: ${file}`);
}

/** Prints failures. @returns whether anything has failed */
export function printFailure(reports: RunReport[]): boolean {
  const failure = describeFailure(reports);
  if (failure !== undefined) printProblem(failure, "red");
  return failure !== undefined;
}
