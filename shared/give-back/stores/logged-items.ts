import { expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import { pendingParts } from "../../adapters/records/pending-index.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { byUnloggedIndex, collectionsBySuppressionIndex } from "../../names.ts";
import type { Document, DocumentKey } from "../../records/documents/document.ts";
import type { ChangeMark, LoggedItems } from "../log/change-log.ts";
import type { GivenRecord, StoredItem } from "../log/item-state.ts";

/** The marks of one table that are read from each part of its index. All parts together fit into one plan. */
const marksPerPart = 5;

const maxParallel = 16;

type Marked = { unlogged: string };

/** Reads the marked records and documents, and the collections that searches do not show. */
export function loggedItems(): LoggedItems {
  const records = table<GivenRecord>({ variable: "recordsTable", key: (recordId) => ({ recordId }) });
  const documents = table<Document, DocumentKey>({
    variable: "documentsTable",
    key: ({ sourceId, documentId }) => ({ sourceId, documentId }),
  });
  const collections = table<{ collectionId: string; status?: string }>({
    variable: "collectionsTable",
    key: (collectionId) => ({ kind: "linkStatus", collectionId }),
  });
  const unlogged = { index: byUnloggedIndex };
  const inPart = (part: string) => ({ ...unlogged, where: expression`unloggedIn = ${part}` });
  const isMarked = ({ mark }: ChangeMark) => expression`unlogged = ${mark}`;
  const unmark = expression`REMOVE unloggedIn, unlogged`;
  return {
    async marks() {
      const found = await Promise.all(
        pendingParts.flatMap((part) => [
          records.query<Marked & { recordId: string }>(inPart(part)).first(marksPerPart),
          documents.query<Marked & DocumentKey>(inPart(part)).first(marksPerPart),
        ]),
      );
      return found
        .flat()
        .map((item) =>
          "recordId" in item
            ? { itemId: item.recordId, mark: item.unlogged }
            : { itemId: item.documentId, sourceId: item.sourceId, mark: item.unlogged },
        );
    },
    async clear(marks) {
      await inParallel(marks, maxParallel, (mark) => {
        const { itemId, sourceId } = mark;
        return sourceId === undefined
          ? records.updateIf(itemId, unmark, isMarked(mark))
          : documents.updateIf({ sourceId, documentId: itemId }, unmark, isMarked(mark));
      });
    },
    async read(items) {
      const attributes = [
        ...["recordId", "sourceId", "groupId", "collectionId", "deliveryMode", "state", "hash", "recordKey"],
        "link",
      ];
      const known = await records.getMany(
        items.map(({ itemId }) => itemId),
        { attributes },
      );
      const recordsById = new Map(known.map((record) => [record.recordId, record]));
      const keys = items.flatMap(({ itemId: documentId, sourceId }) => {
        const source = sourceId ?? recordsById.get(documentId)?.sourceId;
        return source === undefined ? [] : [{ sourceId: source, documentId }];
      });
      const documentsById = new Map(
        (await documents.getMany(keys, { attributes: ["sourceId", "documentId", "state", "versions"] })).map(
          (document) => [document.documentId, document],
        ),
      );
      return new Map<string, StoredItem>(
        items.map(({ itemId }) => [
          itemId,
          { record: recordsById.get(itemId), document: documentsById.get(itemId) },
        ]),
      );
    },
    async hiddenCollections() {
      const checked = await collections.query({ where: expression`kind = ${"linkStatus"}` }).all();
      const hidden = checked.filter(({ status = "active" }) => status !== "active");
      const index = collectionsBySuppressionIndex;
      const held = await collections.query({ index, where: expression`suppressedBy = ${"hold"}` }).all();
      return [...new Set([...hidden, ...held].map(({ collectionId }) => collectionId))].sort();
    },
  };
}
