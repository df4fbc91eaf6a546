import { listVariable, variable } from "../../shared/adapters/aws/environment.ts";
import { mailer } from "../../shared/adapters/aws/mailer.ts";
import { reportLinks } from "../../shared/links/report/report-links.ts";
import { busyHostStore } from "../../shared/links/stores/busy-hosts.ts";
import { collectionStore } from "../../shared/links/stores/collection-store.ts";
import { linkSamples } from "../../shared/links/stores/link-samples.ts";
import { linkStatistics } from "../../shared/links/stores/link-statistics.ts";
import { scheduledHandler } from "../../shared/runtime/scheduled.ts";

/** Mails the link checker report of the day before. */
export const handler = scheduledHandler({
  services: () => ({
    collections: collectionStore(),
    statistics: linkStatistics(),
    samples: linkSamples(),
    busyHosts: busyHostStore(),
    mailer: mailer(),
    recipients: listVariable("mailTo"),
    timeZone: variable("timeZone"),
  }),
  handle: (services, at) => reportLinks(at, services),
});
