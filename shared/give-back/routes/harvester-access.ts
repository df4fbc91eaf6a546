import { createHash, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import { cacheFor } from "../../core/cache-for.ts";
import type { Clock } from "../../core/clock.ts";
import { ConfigError } from "../../core/errors.ts";
import { parseJson } from "../../core/parse-json.ts";
import type { Secrets } from "../../core/secrets.ts";
import { secretNames } from "../../names.ts";

/** The permitted harvesters: anybody, or those with a known name and key. Keys by name. */
export type HarvesterAccess = "anybody" | { keys(): Promise<Readonly<Record<string, string>>> };

/** The time after which a changed key counts. */
const keysMaxAgeMs = 60_000;

const keysSchema = z.record(z.string().min(1), z.string().min(1));

/** Returns the keys in the secret of the deployment. */
export function harvesterKeys(secrets: Secrets, clock: Pick<Clock, "now">): HarvesterAccess {
  const read = async () => {
    const { data } = keysSchema.safeParse(parseJson(await secrets.secret(secretNames.harvesterKeys)));
    if (data === undefined)
      throw new ConfigError(`the secret ${secretNames.harvesterKeys} must be keys by name`);
    return data;
  };
  return { keys: cacheFor(keysMaxAgeMs, read, clock) };
}

/**
 * Decides whether a harvester is admitted. It sends its name and key as user name and password.
 * @see https://www.rfc-editor.org/rfc/rfc7617
 */
export async function admitsHarvester(
  access: HarvesterAccess,
  authorization: string | undefined,
): Promise<boolean> {
  if (access === "anybody") return true;
  const [, encoded = ""] = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(authorization ?? "") ?? [];
  const [, name = "", key = ""] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, "base64").toString()) ?? [];
  if (name === "" || key === "") return false;
  const keys = await access.keys();
  const known = Object.hasOwn(keys, name) ? keys[name] : undefined;
  return known !== undefined && timingSafeEqual(hashOf(key), hashOf(known));
}

/** Texts of the same length can be compared in a time that does not depend on them. */
function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
