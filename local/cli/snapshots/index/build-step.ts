import type { BuildPorts } from "../../../../shared/snapshots/index/build/build-ports.ts";
import type { ShardReport } from "../../../../shared/snapshots/index/build/build-shard.ts";
import { buildShardOnce, divideOnce } from "../../../../shared/snapshots/index/build/build-steps.ts";
import type { DivisionOutcome } from "../../../../shared/snapshots/index/build/divide-input.ts";
import type { IndexPlan } from "../../../../shared/snapshots/index/build/index-plan.ts";

/** A step that is done side by side with others of its kind. */
export type BuildStep = { division: number } | { shard: number };

export type StepResult = DivisionOutcome | ShardReport;

/** What is built, and where. */
export interface BuildFolders {
  plan: IndexPlan;
  folder: string;
  /** Where the build keeps what only it needs. */
  working: string;
}

export function doStep(step: BuildStep, plan: IndexPlan, ports: BuildPorts): Promise<StepResult> {
  return "division" in step
    ? divideOnce(plan, step.division, ports)
    : buildShardOnce(plan, step.shard, ports);
}
