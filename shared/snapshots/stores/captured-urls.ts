import { type Expression, expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import { digest } from "../../core/digest.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { capturedUrlsByWantedIndex } from "../../names.ts";
import { type CapturedUrls, type JobUrl, urlIdOf } from "../jobs/captured-urls.ts";

/** The number of items that are written in parallel. */
const parallelWrites = 8;

/** Matches a URL that is to be captured, or whose response is stored but not read yet. */
const isOpen = expression`state IN (${"wanted"}, ${"unread"})`;

interface ItemKey {
  jobId: number;
  urlId: string;
}

/**
 * Stores the URLs of jobs in one table, together with the number of queries per path (`path#…`). An item
 * names its job in `wantedBy` while it is wanted.
 */
export function capturedUrls(): CapturedUrls {
  const urls = table<JobUrl, ItemKey>({
    variable: "capturedUrlsTable",
    key: ({ jobId, urlId }) => ({ jobId: String(jobId), urlId }),
  });
  const want = (key: ItemKey, attributes: object, condition: Expression) =>
    urls.putIf(key, { ...attributes, state: "wanted", wantedBy: String(key.jobId) }, condition);
  return {
    get: (jobId, urlId) => urls.get({ jobId, urlId }),
    async add(jobId, wanted) {
      const open = await inParallel([...wanted], parallelWrites, async (each) => {
        const { url, via } = each;
        const isSame = via === undefined ? expression`` : expression` AND via = ${via}`;
        const isWanted = await want(
          { jobId, urlId: urlIdOf(jobId, url) },
          each,
          // The URL was found on the same page before. It is requested again, because the request may have
          // been lost.
          expression`attribute_not_exists(urlId) OR (state = ${"wanted"}${isSame})`,
        );
        return isWanted ? [each] : [];
      });
      return open.flat();
    },
    countQuery: (jobId, path, most) =>
      urls.updateIf(
        { jobId, urlId: `path#${digest(path)}` },
        expression`ADD count ${1}`,
        expression`attribute_not_exists(count) OR count < ${most}`,
      ),
    async noteUnread(jobId, urlId, at) {
      const change = expression`SET state = ${"unread"}, unreadAt = ${at.toISOString()} REMOVE wantedBy`;
      await urls.updateIf({ jobId, urlId }, change, isOpen);
    },
    finish: (jobId, urlId, outcome) =>
      urls.updateIf(
        { jobId, urlId },
        expression`SET state = ${"done"}, outcome = ${outcome} REMOVE wantedBy, unreadAt`,
        isOpen,
      ),
    async awaitInterims(jobId, wanted) {
      const isNew = expression`attribute_not_exists(urlId)`;
      await inParallel([...wanted], parallelWrites, ([urlId, each]) => want({ jobId, urlId }, each, isNew));
    },
    async addInterim(jobId, urlId, exchange) {
      const condition = expression`attribute_not_exists(urlId) OR ${isOpen}`;
      await urls.putIf({ jobId, urlId }, { ...exchange, state: "done" }, condition);
    },
    async hasWanted(jobId) {
      const where = expression`wantedBy = ${String(jobId)}`;
      const { items } = await urls.query({ index: capturedUrlsByWantedIndex, where }).page(1);
      return items.length > 0;
    },
    pages: (jobId) =>
      urls
        .query<JobUrl & { urlId: string }>({
          where: expression`jobId = ${String(jobId)} AND begins_with(urlId, ${"capture-"})`,
          isConsistent: true,
        })
        .pages(),
  };
}
