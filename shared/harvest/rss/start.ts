import { type StartSource, startListings } from "../listing/start-listings.ts";
import { buildFirstFeedRequests } from "./feed-requests.ts";

/** RSS: requests the feed, or its pages. `read-feed-response.ts` reads the responses. */
export const startFeed: StartSource = (source, context, ports) => {
  const { run, requestPolicy } = context;
  const requests = buildFirstFeedRequests(source, { runId: run.runId, requestPolicy });
  return startListings(requests, source, context, ports);
};
