import * as z from "zod";
import { hostKeyOfName } from "../../web/address/host-key.ts";

const delayMs = z.number().int().nonnegative();

const hostDelay = z.object({ defaultMs: delayMs.optional(), maxMs: delayMs.optional() });

/**
 * The delays of single hosts, by host key. The name of a host may have any spelling. If two spellings name the same
 * host, their delays are merged.
 */
export const hostDelays = z.record(z.string(), hostDelay).transform((delays, context) => {
  const byKey = new Map<string, z.output<typeof hostDelay>>();
  for (const [name, delay] of Object.entries(delays)) {
    const key = hostKeyOfName(name);
    if (key === undefined) {
      const message = `${JSON.stringify(name)} is not a host: write example.org, or example.org:8080`;
      context.addIssue({ code: "custom", path: [name], message });
    } else byKey.set(key, { ...byKey.get(key), ...delay });
  }
  return Object.fromEntries(byKey);
});

export type HostDelays = z.output<typeof hostDelays>;
