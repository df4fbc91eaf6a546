import type { StatusChangeType } from "../../records/events/events.ts";
import { germanReason } from "../../records/mail/german-reasons.ts";
import type { StatusChange } from "./link-status.ts";

/** The texts of the mail about a change of a collection, in one language. */
export interface StatusMailTexts {
  lang: "en" | "de";
  changed(of: { title: string; collectionId: string; change: StatusChangeType; at: string }): string;
  reason(reason: string): string;
  /** The reason of a check. */
  finding(reason: string): string;
  checked: string;
  hops: string;
  excerpt: string;
  record: string;
  /** The consequences of the change. */
  effect(change: StatusChange): string;
  held: string;
  /** What an operator can do on the page of the collection. */
  console: string;
  api: string;
  actions: Record<"restore" | "hold" | "release", string>;
}

export const english: StatusMailTexts = {
  lang: "en",
  changed: ({ title, collectionId, change, at }) =>
    `The collection "${title}" (${collectionId}) was ${change} at ${at}.`,
  reason: (reason) => `Reason: ${reason}.`,
  finding: (reason) => reason,
  checked: "The links that were checked:",
  hops: "hops",
  excerpt: "page",
  record: "record and checks",
  effect: ({ status, nextAttemptAt }) =>
    ({
      active: "Searches find its records again.",
      suppressed: `Its records are suppressed in searches, and available by their ids. Every sweep checks it, and it becomes active again when a link is alive. Its next attempt is at ${nextAttemptAt}.`,
      deleted: "It is no longer checked. Nothing is erased; an operator can restore it.",
    })[status],
  held: "Its records are suppressed in searches, and available by their ids. It is not checked until it is released.",
  console: "Restore it, hold it, or try a link rule on one of its pages, in the console:",
  api: "With the API:",
  actions: {
    restore: "makes it active",
    hold: "suppresses it without checks, until /release",
    release: "ends the hold",
  },
};

const germanChanges: Record<StatusChangeType, string> = {
  activated: "ist wieder aktiv",
  suppressed: "wurde ausgeblendet",
  deleted: "wurde gelöscht",
};

export const german: StatusMailTexts = {
  lang: "de",
  changed: ({ title, collectionId, change, at }) =>
    `Die Sammlung „${title}“ (${collectionId}) ${germanChanges[change]}: ${at}.`,
  reason: (reason) => `Grund: ${germanReason(reason)}.`,
  finding: germanReason,
  checked: "Die geprüften Links:",
  hops: "Weiterleitungen",
  excerpt: "Seite",
  record: "Datensatz und Prüfungen",
  effect: ({ status, nextAttemptAt }) =>
    ({
      active: "Suchen finden ihre Datensätze wieder.",
      suppressed: `Suchen zeigen ihre Datensätze nicht; unter ihrer Id sind sie zu finden. Jede Runde prüft die Sammlung, und sobald ein Link erreichbar ist, wird sie wieder aktiv. Der nächste Versuch ist um ${nextAttemptAt}.`,
      deleted: "Sie wird nicht mehr geprüft. Nichts ist gelöscht: Sie lässt sich wiederherstellen.",
    })[status],
  held: "Suchen zeigen ihre Datensätze nicht; unter ihrer Id sind sie zu finden. Bis zur Freigabe wird sie nicht geprüft.",
  console: "In der Konsole wiederherstellen, anhalten oder eine Linkregel an einer ihrer Seiten testen:",
  api: "Mit der API:",
  actions: {
    restore: "macht sie aktiv",
    hold: "blendet sie ohne Prüfungen aus, bis /release",
    release: "beendet das Anhalten",
  },
};
