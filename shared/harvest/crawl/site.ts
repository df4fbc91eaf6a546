/** Endings under which a country registers names: `ac.uk`, `com.br`. */
const secondLevel = /\.(?:ac|asn|co|com|edu|gob|gov|gub|id|mil|net|nom|or|org|sch)\.[a-z]{2}$/;

/**
 * What a crawl keeps to: the name that a host is registered under, so that `www.`, `journals.` and the bare name are one
 * site. An address is a site of its own.
 */
export function siteOf(url: URL): string {
  const host = url.hostname.replace(/\.$/, "");
  if (/^\[|^[\d.]+$/.test(host)) return host;
  return host
    .split(".")
    .slice(secondLevel.test(host) ? -3 : -2)
    .join(".");
}
