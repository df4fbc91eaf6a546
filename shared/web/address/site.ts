import { getDomain } from "tldts";

/**
 * What a crawl keeps to: the name that a host is registered under, so that `www.`, `journals.` and the bare name are one
 * site. Whoever registers names for others (`ac.uk`, `gouv.fr`, `github.io`) is no site. An address is a site of its own.
 * @see https://publicsuffix.org/
 */
export function siteOf({ hostname }: URL): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}
