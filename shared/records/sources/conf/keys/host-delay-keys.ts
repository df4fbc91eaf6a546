import type { HostDelays } from "../../host-delays.ts";
import type { DocumentedKey, KeyTable } from "./key-table.ts";

type DelayField = keyof HostDelays[string];

const placeholder = "HOST";

const keys: readonly (DocumentedKey & { field: DelayField })[] = [
  {
    key: `default_download_delay_time_${placeholder}`,
    field: "defaultMs",
    meaning: "The default delay of one host. The Crawl-delay in the host's robots.txt is then ignored.",
    values: "milliseconds",
    example: "default_download_delay_time_example.org = 5000",
  },
  {
    key: `max_download_delay_time_${placeholder}`,
    field: "maxMs",
    meaning:
      "The upper limit of the default delay of one host. The Crawl-delay in the host's robots.txt is then ignored.",
    values: "milliseconds",
    example: "max_download_delay_time_example.org:8080 = 10000",
  },
];

const prefixes = keys.map(({ key, field }) => ({ prefix: key.slice(0, -placeholder.length), field }));

/** The keys that end in a host and set one of the host's delays. */
export const hostDelayKeys: KeyTable = {
  rows: keys,
  has: (key) => prefixes.some(({ prefix }) => key.startsWith(prefix)),
  read(reader) {
    const delays = new Map<string, HostDelays[string]>();
    for (const key of reader.entries.keys()) {
      for (const { prefix, field } of prefixes) {
        const host = key.slice(prefix.length);
        if (key.startsWith(prefix)) delays.set(host, { ...delays.get(host), [field]: reader.count(key) });
      }
    }
    return { hostDelays: Object.fromEntries(delays) };
  },
  print(item) {
    const { hostDelays } = item as { hostDelays: HostDelays };
    return Object.entries(hostDelays).flatMap(([host, delay]) =>
      prefixes.map(({ prefix, field }): [string, number | undefined] => [prefix + host, delay[field]]),
    );
  },
  /** The problem of a host is reported under the first key that names the host. */
  buildLookup:
    (entries) =>
    ([field, host, delay]) => {
      if (field !== "hostDelays") return undefined;
      const named = prefixes.filter((one) => delay === undefined || one.field === delay);
      return named.map(({ prefix }) => `${prefix}${String(host)}`).find((key) => entries.has(key));
    },
};
