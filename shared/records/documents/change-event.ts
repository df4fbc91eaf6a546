import { truncateText } from "../../core/truncate-text.ts";
import type { DocumentEventType, DomainEvent } from "../events/events.ts";
import { type ChangedPart, currentVersion, type Document, type PendingEffect } from "./document.ts";

/** Builds the event of the change that led to a document's current version. */
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

/**
 * Returns the pending effects of a document before its next change. The event of the version that was current until
 * then is written out in full.
 */
export function pendingBeforeChange(document: Document): PendingEffect[] {
  return document.outbox.map((effect) =>
    effect.type === "change" ? { type: "event", event: changeEvent(document, effect.changes) } : effect,
  );
}
