import { listVariable, variable } from "../../shared/adapters/aws/environment.ts";
import { collectionStore } from "../../shared/adapters/aws/links/collection-store.ts";
import { linkSamples } from "../../shared/adapters/aws/links/link-samples.ts";
import { linkStatistics } from "../../shared/adapters/aws/links/link-statistics.ts";
import { mailer } from "../../shared/adapters/aws/mailer.ts";
import { reportLinks } from "../../shared/links/report/report-links.ts";
import { scheduledHandler } from "../../shared/runtime/scheduled.ts";

/** Mails the link checker report of the day before. */
export const handler = scheduledHandler({
  services: () => ({
    collections: collectionStore(),
    statistics: linkStatistics(),
    samples: linkSamples(),
    mailer: mailer(),
    recipients: listVariable("mailTo"),
    timeZone: variable("timeZone"),
  }),
  handle: (services, at) => reportLinks(at, services),
});
