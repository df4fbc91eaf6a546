export interface Deadlines {
  /** Schedules the delivery of a run at a time, whether its harvest is complete or not. */
  schedule(runId: string, at: string): Promise<void>;
}
