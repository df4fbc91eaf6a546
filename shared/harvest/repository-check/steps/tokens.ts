import { describeErrors } from "../../../formats/oai/completeness.ts";
import { listRequest } from "../../../formats/oai/list-state.ts";
import { oaiRequestUrl } from "../../../formats/oai/request-url.ts";
import { type Found, hasFound, type Step } from "../checkup.ts";
import { digestOf } from "./list.ts";

/** The latest token again: requests the page of a response that was lost. */
export const repeatedTokenStep: Step = {
  request({ asked, list }) {
    return list?.byToken && listRequest(asked.baseUrl, list.byToken.state);
  },
  read({ list }, answer) {
    if (answer.type === "unusable") return {};
    const { records, errors } = answer.page;
    const isSame = digestOf(records.map(({ identifier }) => identifier)) === list?.byToken?.digest;
    if (isSame) return {};
    const seen = errors.length > 0 ? describeErrors(answer.page) : `${records.length} other records`;
    return { found: [["token-not-repeatable", seen]] };
  },
};

/** A token that the repository has not given out. */
export const inventedTokenStep: Step = {
  request: ({ asked }) => ({
    url: oaiRequestUrl(asked.baseUrl, "ListRecords", { resumptionToken: "ingather-invented" }),
  }),
  read(checkup, answer) {
    const found: Found[] = [];
    // Of the list as a whole, at the first request after it.
    const { list } = checkup;
    const isPaged = (list?.state.pagesRead ?? 0) > 1;
    if (isPaged && list?.state.progress.announced === undefined && !hasFound(checkup, "list-broken"))
      found.push(["size-missing", "resumptionTokens without completeListSize"]);
    if (answer.type === "unusable") return { found };
    const { errors, records } = answer.page;
    if (!errors.some(({ code }) => code === "badResumptionToken")) {
      const seen = errors.length > 0 ? describeErrors(answer.page) : `${records.length} records`;
      found.push(["token-unchecked", seen]);
    }
    return { found };
  },
};
