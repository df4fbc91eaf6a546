import type { Write } from "../../../local/cli/memory/write.ts";
import { packPage, unpackPage } from "../../../shared/harvest/stored-pages/pack-page.ts";
import type { PageStore } from "../../../shared/harvest/stored-pages/stored-page.ts";

/** Stored pages in memory. */
export function memoryPages(stored: Map<string, Uint8Array>, write: Write): PageStore {
  return {
    keep: (key, page) => write(() => void stored.set(key, packPage(page))),
    load: async (key) => {
      const object = stored.get(key);
      return object && unpackPage(object);
    },
    remove: (key) => write(() => void stored.delete(key)),
    removeOfSource: (sourceId) =>
      write(() => {
        for (const key of stored.keys()) if (key.startsWith(`${sourceId}/`)) stored.delete(key);
      }),
  };
}
