import { createHash } from "node:crypto";
import type { ReadingPorts, ReadUploadPorts } from "./upload-reading.ts";

/**
 * The ports of a dry run: documents and files are read, compared and converted as always, and nothing is stored or published
 * but the outcomes of the upload.
 */
export function withoutWriting(ports: ReadUploadPorts): ReadingPorts {
  const { documents } = ports.kept;
  const events = { publish: async () => {} };
  return {
    ...ports,
    events,
    kept: {
      events,
      requestFiles: async () => {},
      documents: {
        getMany: (sourceId, ids) => documents.getMany(sourceId, ids),
        list: (sourceId, page) => documents.list(sourceId, page),
        countPresent: (sourceId) => documents.countPresent(sourceId),
        listByChange: (sourceId, page) => documents.listByChange(sourceId, page),
        listPending: (before, limit) => documents.listPending(before, limit),
        loadContent: (location) => documents.loadContent(location),
        save: async () => true,
        markListed: async () => {},
        saveContents: async (_sourceId, contents) =>
          contents.map(({ mediaType, format }) => ({
            key: "",
            mediaType,
            format,
            raw: [0, 0],
            metadata: [0, 0],
          })),
      },
    },
    records: {
      storeMarcs: async (records) => records.map(() => ""),
      save: async () => true,
    },
    runs: {
      create: async (run) => run,
      changeState: async () => false,
      saveOutcomeBatch: async () => {},
    },
    items: {
      get: (key) => ports.items.get(key),
      save: async () => true,
    },
    uploadedFiles: { store: async (chunks) => ({ key: "", ...(await measure(chunks)) }) },
  };
}

async function measure(chunks: AsyncIterable<Uint8Array>): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    sizeBytes += chunk.byteLength;
  }
  return { sizeBytes, sha256: hash.digest("hex") };
}
