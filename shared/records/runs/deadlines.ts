import type { Run } from "./run.ts";

export interface Deadlines {
  /** Schedules the delivery of a run at its deadlines, regardless of whether its harvest is complete. */
  schedule(run: Pick<Run, "runId" | "softDeadlineAt" | "deadlineAt">): Promise<void>;
}

/** The times that a run waits for its sources, counted from its start. */
export interface DeadlineSettings {
  runDeadlineMinutes: number;
  /** 0 means that there is no soft deadline. */
  softDeadlineMinutes: number;
}

/** Returns the deadlines of a run that starts now. */
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
