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

/** Documents whose effects are made at the same time. */
const maxParallel = 16;

/** How often a write is tried while others write the same document. */
export const maxWriteTries = 8;

/** Makes the pending effects of documents, those of each in order, then marks them as done. */
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

/** The same before and after the document has changed again. */
function effectId(effect: PendingEffect, document: Document): string {
  return effect.type === "files" ? `files/${effect.version}` : eventOf(effect, document).changeId;
}

/** Removes effects that are done. Others may have added some meanwhile, or removed the same ones. */
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
  throw new PlatformError(`document ${document.documentId} is being written by others`);
}

function withoutEffects(document: Document, done: ReadonlySet<string>): PendingEffect[] {
  return document.outbox.filter((effect) => !done.has(effectId(effect, document)));
}
