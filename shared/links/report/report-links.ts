import { dayIn } from "../../core/day.ts";
import { PlatformError } from "../../core/errors.ts";
import type { CollectionStore, LinkStatistics, Mail, Mailer } from "../../ports.ts";
import { dailyMail } from "./daily-mail.ts";
import { type DayFigures, dayBefore, figuresOf } from "./statistics.ts";

export interface ReportLinksPorts {
  collections: Pick<CollectionStore, "all">;
  statistics: Pick<LinkStatistics, "ofDay">;
  mailer: Mailer;
  /** Who is told of all collections. */
  recipients: string[];
  timeZone: string;
}

/**
 * Mails what became of links the day before: to those who are told of all, everything; to the recipients of collections,
 * theirs. Also when nothing has happened: whoever gets no mail may know that it is the mail that fails.
 */
export async function reportLinks(
  at: Date,
  ports: ReportLinksPorts,
): Promise<{ day: string; mails: number }> {
  const { recipients, mailer } = ports;
  const day = dayBefore(dayIn(ports.timeZone, at));
  const { collections } = await ports.collections.all();
  const titles = new Map(collections.map(({ collectionId, title }) => [collectionId, title]));
  const figures = figuresOf(await ports.statistics.ofDay(day));
  const mails: Mail[] = [];
  const add = (whom: string, to: string[], rows: DayFigures[]) =>
    mails.push(dailyMail({ day, figures: rows, titles }, { whom, to }));
  if (recipients.length > 0) add("all", recipients, figures);

  const others = new Set(collections.flatMap(({ recipients }) => recipients));
  for (const address of recipients) others.delete(address);
  for (const address of others) {
    const theirs = new Set(
      collections
        .filter(({ recipients }) => recipients.includes(address))
        .map(({ collectionId }) => collectionId),
    );
    add(
      address,
      [address],
      figures.filter(({ collectionId }) => theirs.has(collectionId)),
    );
  }
  await sendAll(mails, mailer);
  return { day, mails: mails.length };
}

/** One address that is refused keeps the mail from nobody else. */
async function sendAll(mails: Mail[], mailer: Mailer): Promise<void> {
  const outcomes = await Promise.allSettled(mails.map((mail) => mailer.send(mail)));
  const failed = outcomes.filter((outcome) => outcome.status === "rejected").map(({ reason }) => reason);
  if (failed.length > 0) {
    throw new PlatformError(`${failed.length} of ${mails.length} mails could not be sent`, {
      cause: new AggregateError(failed, failed.map(String).join("; ")),
    });
  }
}
