import { dayBefore, dayIn } from "../../core/day.ts";
import { PlatformError } from "../../core/errors.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { addressKey, distinctAddresses } from "../../core/mail-address.ts";
import type { Mail, Mailer } from "../../records/mail/mailer.ts";
import { type BusyHostStore, overbookedHosts } from "../capacity/busy-hosts.ts";
import type { Collection } from "../status/collection.ts";
import type { CollectionStore } from "../status/collection-store.ts";
import { figuresOf, type LinkStatistics } from "../status/statistics.ts";
import { estimateDeadLinks, estimatePeriod, estimateStartDay, shareOfAll } from "../sweep/estimate.ts";
import type { LinkSamples } from "../sweep/link-samples.ts";
import { buildDailyMail } from "./daily-mail.ts";
import {
  type CollectionEstimate,
  estimateNotes,
  overbookingNotes,
  refusalNotes,
  unusableNotes,
} from "./daily-notes.ts";

const collectionsAtOnce = 16;

/**
 * The number of mails sent at the same time. SES limits the messages of an account per second.
 * @see https://docs.aws.amazon.com/ses/latest/dg/manage-sending-quotas.html
 */
const mailsAtOnce = 8;

interface ReportLinksPorts {
  collections: Pick<CollectionStore, "all">;
  statistics: Pick<LinkStatistics, "ofDay">;
  samples: Pick<LinkSamples, "between" | "saveOverall">;
  busyHosts: Pick<BusyHostStore, "latest">;
  mailer: Mailer;
  /** The addresses that get the report of all collections. */
  recipients: string[];
  timeZone: string;
}

/**
 * Mails the changes of the previous day and the estimated shares of dead links, and stores the share over all
 * collections. The recipients of all collections get everything; other recipients get only their own collections. The
 * mail is sent even when nothing has changed, so that a missing mail reveals a failure.
 */
export async function reportLinks(
  at: Date,
  ports: ReportLinksPorts,
): Promise<{ day: string; mails: number }> {
  const { recipients, mailer } = ports;
  const day = dayBefore(dayIn(ports.timeZone, at));
  const { collections, unusable } = await ports.collections.all();
  const titles = new Map(collections.map(({ collectionId, title }) => [collectionId, title]));
  const changes = await ports.statistics.ofDay(day);
  const figures = figuresOf(changes);
  const estimates = await loadEstimates(collections, day, ports);
  const shares = estimates.map(({ estimate }) => estimate.now);
  await ports.samples.saveOverall(shareOfAll(shares, estimatePeriod(day)));
  const mails: Mail[] = [];
  if (recipients.length > 0) {
    const notes = [
      ...refusalNotes(changes),
      ...overbookingNotes(await overbookedHosts(ports.busyHosts)),
      ...estimateNotes(estimates),
      ...unusableNotes(unusable),
    ];
    mails.push(buildDailyMail({ day, figures, titles, notes }, { audience: "all", to: recipients }));
  }

  const mailedAddresses = new Set(recipients.map(addressKey));
  for (const address of distinctAddresses(collections.flatMap(({ recipients }) => recipients))) {
    const audience = addressKey(address);
    if (mailedAddresses.has(audience)) continue;
    const owned = collections.filter(({ recipients }) =>
      recipients.some((each) => addressKey(each) === audience),
    );
    const ids = new Set(owned.map(({ collectionId }) => collectionId));
    const isTheirs = ({ collectionId }: { collectionId: string }) => ids.has(collectionId);
    const notes = [...refusalNotes(changes.filter(isTheirs)), ...estimateNotes(estimates.filter(isTheirs))];
    const report = { day, figures: figures.filter(isTheirs), titles, notes };
    mails.push(buildDailyMail(report, { audience, to: [address] }));
  }
  await sendAll(mails, mailer);
  return { day, mails: mails.length };
}

function loadEstimates(
  collections: Collection[],
  day: string,
  { samples }: { samples: Pick<LinkSamples, "between"> },
): Promise<CollectionEstimate[]> {
  return inParallel(collections, collectionsAtOnce, async ({ collectionId, title }) => {
    const drawn = await samples.between(collectionId, { from: estimateStartDay(day), to: day });
    return { collectionId, title, estimate: estimateDeadLinks(drawn, day) };
  });
}

/** Sends all mails, and continues after a mail that fails. */
async function sendAll(mails: Mail[], mailer: Mailer): Promise<void> {
  const failed: unknown[] = [];
  await inParallel(mails, mailsAtOnce, async (mail) => {
    await mailer.send(mail).catch((error: unknown) => failed.push(error));
  });
  if (failed.length > 0) {
    throw new PlatformError(`${failed.length} of ${mails.length} mails could not be sent`, {
      cause: new AggregateError(failed, failed.map(String).join("; ")),
    });
  }
}
