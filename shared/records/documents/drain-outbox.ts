import { PlatformError } from "../../core/errors.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { DomainEvent, Events } from "../events/events.ts";
import { changeEvent } from "./change-event.ts";
import type { Document, PendingEffect } from "./document.ts";
import type { DocumentStore } from "./document-store.ts";

export type FilesEffect = Extract<PendingEffect, { type: "files" }>;

export interface DrainPorts {
  documents: Pick<DocumentStore, "getMany" | "save">;
  events: Events;
  /** Requests the files of a version, and ends the items of files that are gone. Repeatable. */
  requestFiles(document: Document, files: FilesEffect): Promise<void>;
}

/** The number of documents whose effects are carried out at the same time. */
const maxParallel = 16;

/** The number of times that a write is tried while others write the same document. */
export const maxWriteTries = 8;

/**
 * Carries out the pending effects of documents, then marks them as done. The effects of each document are carried out
 * in order.
 */
export async function drainOutboxes(documents: Document[], ports: DrainPorts): Promise<void> {
  const pending = documents.filter(({ outbox }) => outbox.length > 0);
  await inParallel(pending, maxParallel, (document) => drainOutbox(document, ports));
}

async function drainOutbox(document: Document, ports: DrainPorts): Promise<void> {
  for (const effect of document.outbox) {
    if (effect.type === "files") await ports.requestFiles(document, effect);
    else await ports.events.publish(eventOf(effect, document));
  }
  const done = document.outbox.map((effect) => effectId(effect, document));
  await removeEffects(document, new Set(done), ports);
}

function eventOf(effect: Exclude<PendingEffect, FilesEffect>, document: Document): DomainEvent {
  return effect.type === "event" ? effect.event : changeEvent(document, effect.changes);
}

/** Returns an id that stays the same when the document changes again. */
function effectId(effect: PendingEffect, document: Document): string {
  return effect.type === "files" ? `files/${effect.version}` : eventOf(effect, document).changeId;
}

/** Removes the effects that are done. Other processes may have added effects meanwhile, or removed the same ones. */
async function removeEffects(
  document: Document,
  done: ReadonlySet<string>,
  { documents }: Pick<DrainPorts, "documents">,
): Promise<void> {
  let known: Document | undefined = document;
  for (let tries = 0; tries < maxWriteTries; tries += 1) {
    if (known === undefined) return;
    const outbox = withoutEffects(known, done);
    if (outbox.length === known.outbox.length) return;
    const { pendingSince, ...rest } = known;
    const left = outbox.length > 0 && pendingSince !== undefined ? { pendingSince } : {};
    if (await documents.save({ ...rest, ...left, outbox, revision: known.revision + 1 })) return;
    [known] = await documents.getMany(document.sourceId, [document.documentId]);
  }
  throw new PlatformError(`document ${document.documentId} is being written by other processes`);
}

function withoutEffects(document: Document, done: ReadonlySet<string>): PendingEffect[] {
  return document.outbox.filter((effect) => !done.has(effectId(effect, document)));
}
