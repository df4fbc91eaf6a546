/**
 * Parameters that say where a reader has come from and are no part of what is asked for; in lower case. Only those that
 * mean nothing else anywhere: Google's and its kin's of campaigns and clicks, Facebook, Microsoft, X, Mailchimp, HubSpot,
 * Marketo, Mapp (Webtrekk), Elsevier. `cmp`, `ref`, `source` and `journalCode` name contents on some sites.
 */
const trackingParameters =
  /^(?:utm_[a-z_]+|fbclid|gclid|dclid|gbraid|wbraid|msclkid|twclid|ref_src|mc_cid|mc_eid|_hsenc|_hsmi|mkt_tok|wt[._]mc(?:_id)?|cmpid|dgcid)$/;

/** What feeds append to the addresses of their entries (Atypon; HighWire, Elsevier). */
const feedParameters: ReadonlySet<string> = new Set(["af=r", "rss=1", "rss=yes"]);

/** A URL without the parameters that tell of its reader; all else stays as it is written, also what is no URL. */
export function withoutTrackingParameters(url: string): string {
  const [, address = "", query, fragment = ""] = /^([^?#]*)\?([^#]*)(#.*)?$/s.exec(url) ?? [];
  if (query === undefined) return url;
  const all = query.split("&");
  const kept = all.filter((parameter) => !isTracking(parameter.toLowerCase()));
  if (kept.length === all.length) return url;
  return `${address}${kept.length === 0 ? "" : `?${kept.join("&")}`}${fragment}`;
}

function isTracking(parameter: string): boolean {
  // Feeds that escape twice have `&amp;` between parameters.
  const own = parameter.replace(/^amp;/, "");
  const [name = ""] = own.split("=", 1);
  return trackingParameters.test(name) || feedParameters.has(own);
}
