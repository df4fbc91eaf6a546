import type { Write } from "../../../local/cli/memory/write.ts";
import type { Document, DocumentContent } from "../../../shared/records/documents/document.ts";
import type { ChangePosition, DocumentStore } from "../../../shared/records/documents/document-store.ts";

interface DocumentsState {
  documentsByKey: Map<string, Document>;
  contents: Map<string, DocumentContent>;
}

const keyOf = (sourceId: string, documentId: string) => `${sourceId} ${documentId}`;

/** Documents in memory. */
export function memoryDocuments(memory: DocumentsState, write: Write): DocumentStore {
  const ofSource = (sourceId: string) =>
    [...memory.documentsByKey.values()].filter((document) => document.sourceId === sourceId);
  return {
    getMany: async (sourceId, documentIds) =>
      documentIds.flatMap((id) => structuredClone(memory.documentsByKey.get(keyOf(sourceId, id))) ?? []),
    save: (document) =>
      write(() => {
        const key = keyOf(document.sourceId, document.documentId);
        if ((memory.documentsByKey.get(key)?.revision ?? 0) !== document.revision - 1) return false;
        memory.documentsByKey.set(key, structuredClone(document));
        return true;
      }),
    markListed: ({ sourceId, documentId }, marks) =>
      write(() => {
        const key = keyOf(sourceId, documentId);
        const document = memory.documentsByKey.get(key);
        if (document === undefined) return;
        const revision = document.revision + 1;
        memory.documentsByKey.set(key, { ...document, ...marks, revision });
      }),
    saveContents: (sourceId, contents) =>
      write(() =>
        contents.map((content) => {
          const key = `${sourceId}/${memory.contents.size}`;
          memory.contents.set(key, content);
          const { mediaType, format, raw, metadata } = content;
          const length = JSON.stringify(metadata).length;
          return { key, mediaType, format, raw: [0, raw.length], metadata: [raw.length, length] };
        }),
      ),
    loadContent: async ({ key }) => {
      const content = memory.contents.get(key);
      if (content === undefined) throw new Error(`no content at ${key}`);
      return content;
    },
    list: async (sourceId, { limit, after = "" }) => {
      const rest = ofSource(sourceId)
        .filter(({ documentId }) => documentId > after)
        .sort((a, b) => (a.documentId < b.documentId ? -1 : 1));
      const documents = rest.slice(0, limit);
      const next = rest.length > limit ? documents.at(-1)?.documentId : undefined;
      return { documents, ...(next !== undefined && { next }) };
    },
    countPresent: async (sourceId) => ofSource(sourceId).filter(({ state }) => state === "present").length,
    listByChange: async (sourceId, { limit, after }) => {
      const place = ({ changedAt, documentId }: ChangePosition) => `${changedAt} ${documentId}`;
      const rest = ofSource(sourceId)
        .filter((document) => after === undefined || place(document) < place(after))
        .sort((a, b) => (place(a) < place(b) ? 1 : -1));
      const documents = rest.slice(0, limit);
      const last = rest.length > limit ? documents.at(-1) : undefined;
      return {
        documents: documents.map(({ documentId, identifier, state, title, firstListedAt, changedAt }) => ({
          sourceId,
          documentId,
          identifier,
          state,
          ...(title !== undefined && { title }),
          firstListedAt,
          changedAt,
        })),
        ...(last && { next: { changedAt: last.changedAt, documentId: last.documentId } }),
      };
    },
    listPending: async (before, limit) =>
      [...memory.documentsByKey.values()]
        .filter(({ pendingSince }) => pendingSince !== undefined && pendingSince < before)
        .slice(0, limit)
        .map(({ sourceId, documentId }) => ({ sourceId, documentId })),
  };
}
