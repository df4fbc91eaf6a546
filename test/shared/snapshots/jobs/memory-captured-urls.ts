import { type CapturedUrls, type JobUrl, urlIdOf } from "../../../../shared/snapshots/jobs/captured-urls.ts";

/** The URLs of one job in memory, by their ids. */
export function memoryCapturedUrls(urls: Map<string, JobUrl>): CapturedUrls {
  return {
    get: async (_jobId, id) => urls.get(id),
    async add(jobId, wanted) {
      return wanted.filter((each) => {
        const id = urlIdOf(jobId, each.url);
        const known = urls.get(id);
        if (known === undefined) urls.set(id, { ...each, state: "wanted" });
        return known === undefined || (known.state === "wanted" && known.via === each.via);
      });
    },
    countQuery: async () => true,
    async noteUnread(_jobId, id, at) {
      const wanted = urls.get(id);
      if (wanted === undefined || wanted.state === "done") return;
      urls.set(id, { ...wanted, state: "unread", unreadAt: at.toISOString() });
    },
    async finish(_jobId, id, outcome) {
      const wanted = urls.get(id);
      if (wanted === undefined || wanted.state === "done") return false;
      urls.set(id, { ...wanted, state: "done", outcome });
      return true;
    },
    async addInterim(_jobId, id, exchange) {
      if (urls.get(id)?.state !== "done") urls.set(id, { ...exchange, state: "done" });
    },
    async awaitInterims(_jobId, wanted) {
      for (const [id, each] of wanted) if (!urls.has(id)) urls.set(id, { ...each, state: "wanted" });
    },
    hasWanted: async () => [...urls.values()].some(({ state }) => state === "wanted"),
    async *pages() {
      yield [...urls].map(([urlId, url]) => ({ ...url, urlId }));
    },
  };
}
