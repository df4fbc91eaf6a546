/**
 * The milliseconds that this process was at work meanwhile: by the clock on the wall, a machine that does other things
 * besides would count them in.
 */
export function cpuMsOf(work: () => void): number {
  const startedAt = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(startedAt);
  return (user + system) / 1000;
}
