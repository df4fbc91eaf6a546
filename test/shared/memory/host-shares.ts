import { endOfHour, type HostShares } from "../../../shared/web/gate/host-shares.ts";

export function memoryHostShares(): HostShares {
  const taken = new Map<string, number>();
  const admitted = new Map<string, number>();
  return {
    async take(hostKey, now, most) {
      const key = `${hostKey} ${endOfHour(now).toISOString()}`;
      const count = taken.get(key) ?? 0;
      if (count >= most) return false;
      taken.set(key, count + 1);
      return true;
    },
    admittedAtMs: async (hostKey) => admitted.get(hostKey),
    markAdmitted: async (hostKey, atMs) => void admitted.set(hostKey, atMs),
  };
}
