import { InputError } from "../shared/core/errors.ts";
import { userAgentSchema } from "../shared/core/user-agent.ts";
import { readCdkContext } from "./cdk-context.ts";
import { packageFolder } from "./installation.ts";

/** A warning for requests to public hosts whose User-Agent has no contact details. */
export const contactAdvice =
  "The User-Agent of these requests has no contact (example domains do not count): set --user-agent, ingather:userAgent in cdk.json, or user_agent of the group.";

/**
 * Returns the User-Agent header: from the command line, otherwise from cdk.json if that names a contact,
 * otherwise a default.
 * @throws InputError for an invalid header value
 */
export function resolveUserAgent(given: string | undefined, purpose: string): string {
  if (given === undefined) return defaultUserAgent(purpose);
  const parsed = userAgentSchema.safeParse(given);
  if (!parsed.success) throw new InputError("--user-agent", given, parsed.error.issues[0]?.message ?? "");
  return parsed.data;
}

function defaultUserAgent(purpose: string): string {
  const configured = readCdkContext(packageFolder)["ingather:userAgent"];
  const isOurs = typeof configured === "string" && namesContact(configured);
  return isOurs ? configured : `Ingather/0.1 (${purpose})`;
}

/** Returns whether a User-Agent contains a mail address or a URL. Those of example domains do not count. */
export function namesContact(userAgent: string): boolean {
  const pages = userAgent.match(/https?:\/\/[^\s()<>;,]+/g) ?? [];
  const addressHosts = [...userAgent.matchAll(/[\w.+-]@([\w-]+(?:\.[\w-]+)+)/g)].map(([, host]) => host);
  const hosts = [...pages.map((page) => URL.parse(page)?.hostname), ...addressHosts];
  return hosts.some((host) => !/(^|\.)example(\.(com|net|org))?$/.test(host ?? "example"));
}
