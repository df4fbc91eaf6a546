import { truncateText } from "../../core/truncate-text.ts";
import type { DocumentEventType, DomainEvent } from "../events/events.ts";
import { type ChangedPart, currentVersion, type Document, type PendingEffect } from "./document.ts";

/** The event of the change that made a document's current version. */
export function changeEvent(
  document: Pick<Document, "sourceId" | "documentId" | "identifier" | "title" | "versions">,
  changes: readonly ChangedPart[] | undefined,
): DomainEvent {
  const { sourceId, documentId, identifier, title } = document;
  const { version, type, at, datestamp } = currentVersion(document);
  const eventType: DocumentEventType = `document.${type}`;
  return {
    type: eventType,
    changeId: `${documentId}/${version}`,
    detail: {
      sourceUri: `/sources/${sourceId}`,
      documentUri: `/sources/${sourceId}/documents/${documentId}`,
      sourceId,
      identifier: identifier[0],
      version,
      at,
      ...(datestamp !== undefined && { datestamp }),
      ...(title !== undefined && { title: truncateText(title) }),
      ...(changes !== undefined && { changes }),
    },
  };
}

/** What is pending for a document before it changes again: the event of the version that is current until then is written out. */
export function pendingBeforeChange(document: Document): PendingEffect[] {
  return document.outbox.map((effect) =>
    effect.type === "change" ? { type: "event", event: changeEvent(document, effect.changes) } : effect,
  );
}
