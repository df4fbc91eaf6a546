import { dayIn } from "../core/day.ts";
import type { CollectionStore, LinkStatistics, Mailer } from "../ports.ts";
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
  const send = (to: string[], rows: DayFigures[]) =>
    mailer.send(dailyMail({ day, figures: rows, titles }, to));
  if (recipients.length > 0) await send(recipients, figures);

  const others = new Set(collections.flatMap(({ recipients }) => recipients));
  for (const address of recipients) others.delete(address);
  for (const address of others) {
    const theirs = new Set(
      collections
        .filter(({ recipients }) => recipients.includes(address))
        .map(({ collectionId }) => collectionId),
    );
    await send(
      [address],
      figures.filter(({ collectionId }) => theirs.has(collectionId)),
    );
  }
  return { day, mails: others.size + (recipients.length > 0 ? 1 : 0) };
}
