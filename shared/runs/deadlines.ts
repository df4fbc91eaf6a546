export interface Deadlines {
  /** Asks for the delivery of a run at a time, whether the run is complete or not. */
  schedule(runId: string, at: string): Promise<void>;
}
