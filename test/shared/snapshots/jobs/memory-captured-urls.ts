import { type CapturedUrls, type JobUrl, urlIdOf } from "../../../../shared/snapshots/jobs/captured-urls.ts";

/** The URLs of one job in memory, by their ids. */
export function memoryCapturedUrls(urls: Map<string, JobUrl>): CapturedUrls {
  const queries = new Map<string, number>();
  return {
    get: async (_jobId, id) => urls.get(id),
    async add(jobId, wanted) {
      return wanted.filter((each) => {
        const id = urlIdOf(jobId, each.url);
        const known = urls.get(id);
        if (known === undefined) urls.set(id, { ...each, state: "wanted" });
        return (
          known === undefined ||
          (known.state === "wanted" && (each.via === undefined || known.via === each.via))
        );
      });
    },
    async countQuery(_jobId, path, most) {
      const count = queries.get(path) ?? 0;
      if (count >= most) return false;
      queries.set(path, count + 1);
      return true;
    },
    async noteUnread(_jobId, id, at) {
      const wanted = urls.get(id);
      if (wanted === undefined || wanted.state === "done") return;
      urls.set(id, { ...wanted, state: "unread", unreadAt: at.toISOString() });
    },
    async finish(_jobId, id, outcome) {
      const wanted = urls.get(id);
      if (wanted === undefined || wanted.state === "done") return false;
      const { unreadAt: _past, ...rest } = wanted;
      urls.set(id, { ...rest, state: "done", outcome });
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
