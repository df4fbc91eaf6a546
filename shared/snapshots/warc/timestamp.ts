/** `YYYYMMDDhhmmss` in UTC. */
export function timestamp14(date: Date): string {
  return date.toISOString().replaceAll(/\D/g, "").slice(0, 14);
}
