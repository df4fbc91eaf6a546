import { cacheFor } from "../../core/cache-for.ts";
import type { Clock } from "../../core/clock.ts";
import { buildConfigError } from "../../core/schema-problems.ts";
import { settingsId } from "../../records/sources/configuration.ts";
import { settings } from "../../records/sources/settings.ts";
import type { DelaySettings } from "../../web/gate/host-delays.ts";
import { table } from "../aws/table.ts";

/** The time after which a change of the settings takes effect. */
const cacheMs = 60_000;

/**
 * Returns the function that reads the delays from the configuration. The delays are undefined while the configuration
 * has no settings. They are read once a minute.
 * @throws ConfigError (as a rejection) naming the invalid field of the settings
 */
export function delaySettings(clock: Clock): () => Promise<DelaySettings | undefined> {
  const configuration = table<{ value: unknown }>({
    variable: "configurationTable",
    key: (id) => ({ kind: "settings", id }),
  });
  const read = async () => {
    const item = await configuration.get(settingsId, { isConsistent: false });
    if (item === undefined) return undefined;
    const { data, error } = settings.safeParse(item.value);
    if (error !== undefined) throw buildConfigError(error, "the stored item settings");
    return data;
  };
  return cacheFor(cacheMs, read, clock);
}
