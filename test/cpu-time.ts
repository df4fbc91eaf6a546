/**
 * Returns the processor time of this process during the work, in milliseconds. Wall time would include the
 * work of other processes.
 */
export function cpuMsOf(work: () => void): number {
  const startedAt = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(startedAt);
  return (user + system) / 1000;
}
