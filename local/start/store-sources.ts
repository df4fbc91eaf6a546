import { variables } from "../../shared/names.ts";
import type { NewGroup } from "../../shared/records/sources/group.ts";
import { hostKey, hostKeyOf } from "../../shared/web/address/host-key.ts";
import type { LocalCloud } from "../cloud/cloud.ts";
import { feedSource, localGroup } from "../local-group.ts";
import { namesPrivateHost } from "../private-host.ts";
import { contactAdvice, namesContact } from "../user-agent.ts";
import type { Demo } from "./demo-sites.ts";
import { probedPrivateHosts } from "./probed-hosts.ts";
import { type loadImportedSources, storeConfiguration, storeDemoSupplement } from "./run-delivery.ts";
import { demoSource } from "./seed.ts";
import type { StartOptions } from "./start-options.ts";
import { printProblem } from "./terminal.ts";

/**
 * Stores the sources to harvest, unless they are imported: the given feeds or, without any, those of the
 * demo. Tells the functions which hosts may be private.
 * @returns the sources of the first run
 */
export async function storeSources(
  options: StartOptions,
  given: {
    cloud: Pick<LocalCloud, "setVariable">;
    imported: Awaited<ReturnType<typeof loadImportedSources>>;
    demo: Demo | undefined;
  },
): Promise<{ sourceId: string; url: string }[]> {
  const { feeds, userAgent } = options;
  const { cloud, imported, demo } = given;
  const own = demo === undefined ? feeds.map(feedSource) : [demoSource(demo.site.feedUrl)];
  const urls = [...own.map(({ url }) => url), ...(demo?.rottingSite ? [demo.rottingSite.origin] : [])];
  const privateHosts = [
    ...urls
      .map((url) => new URL(url))
      .filter(namesPrivateHost)
      .map(hostKey),
    ...options.privateHosts,
    ...(options.allowsPrivateSources ? (imported ?? own).map(({ url }) => hostKeyOf(url)) : []),
    ...probedPrivateHosts(options),
  ];
  cloud.setVariable(variables.allowedPrivateHosts, privateHosts.join(","));
  if (demo?.sparql !== undefined) cloud.setVariable(variables.sparqlEndpoint, demo.sparql.url);
  const agencies: Partial<NewGroup> =
    demo === undefined ? {} : { doiAgencies: ["crossref", "datacite"], agencyUrls: demo.site.agencyUrls };
  if (imported === undefined) await storeConfiguration(own, [], { ...localGroup, userAgent, ...agencies });
  // The supplement has the same host as the demo's journal.
  if (demo !== undefined) own.push(await storeDemoSupplement(demo.site.supplementFeedUrl));
  const asksPublicHosts = imported?.length || own.some(({ url }) => !namesPrivateHost(new URL(url)));
  // Imported sources use the User-Agent of their group.
  const agents = imported?.map((source) => source.userAgent) ?? [userAgent];
  if (asksPublicHosts && !agents.every(namesContact)) printProblem(contactAdvice, "yellow");
  return imported ?? own;
}
