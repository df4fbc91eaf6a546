import type { Run } from "./run.ts";

export interface Deadlines {
  /** Schedules the delivery of a run at its deadlines, whether its harvest is complete or not. */
  schedule(run: Pick<Run, "runId" | "softDeadlineAt" | "deadlineAt">): Promise<void>;
}

/** How long a run waits for its sources, from its start. */
export interface DeadlineSettings {
  runDeadlineMinutes: number;
  /** 0: there is no soft deadline. */
  softDeadlineMinutes: number;
}

/** The deadlines of a run that starts now. */
export function deadlinesOf(
  now: Date,
  { runDeadlineMinutes, softDeadlineMinutes }: DeadlineSettings,
): Pick<Run, "softDeadlineAt" | "deadlineAt"> {
  const after = (minutes: number) => new Date(now.getTime() + minutes * 60_000).toISOString();
  const hasSoft = softDeadlineMinutes > 0 && softDeadlineMinutes < runDeadlineMinutes;
  return {
    ...(hasSoft && { softDeadlineAt: after(softDeadlineMinutes) }),
    deadlineAt: after(runDeadlineMinutes),
  };
}
