import { describeErrors } from "../../../formats/oai/completeness.ts";
import { judgeGetRecord } from "../../../formats/oai/get-record.ts";
import { recordRequest } from "../../../formats/oai/list-state.ts";
import { oaiRequestUrl } from "../../../formats/oai/request-url.ts";
import type { Checkup, Step } from "../checkup.ts";
import { argumentsOf } from "./list.ts";

const invented = "oai:ingather.invalid:invented";

/** A record of the list. @see https://www.openarchives.org/OAI/openarchivesprotocol.html#GetRecord */
export const listedRecordStep: Step = {
  request: ({ asked, list }) =>
    list?.example &&
    recordRequest(asked.baseUrl, {
      identifier: list.example.identifier,
      metadataPrefix: asked.metadataPrefix,
    }),
  read({ list }, answer) {
    const evidence = judgeGetRecord(answer, { identifier: list?.example?.identifier ?? "" });
    if (evidence.type === "present") return {};
    const seen = evidence.type === "gone" ? "GetRecord denies a record that the list has" : evidence.reason;
    return { found: [["get-record-fails", seen]] };
  },
};

/** A record that does not exist. */
export const inventedRecordStep: Step = {
  request: ({ asked }) =>
    recordRequest(asked.baseUrl, { identifier: invented, metadataPrefix: asked.metadataPrefix }),
  read(_checkup, answer) {
    const evidence = judgeGetRecord(answer, { identifier: invented });
    if (evidence.type === "gone") return {};
    const seen = evidence.type === "present" ? `a record ${invented}` : evidence.reason;
    return { found: [["get-record-invents", seen]] };
  },
};

/** The first headers. @see https://www.openarchives.org/OAI/openarchivesprotocol.html#ListIdentifiers */
export const identifiersStep: Step = {
  request: ({ asked, list }) =>
    list?.example && { url: oaiRequestUrl(asked.baseUrl, "ListIdentifiers", argumentsOf(asked)) },
  read(checkup, answer) {
    if (answer.type === "unusable") return { found: [["list-identifiers-fails", answer.reason]] };
    const { page } = answer;
    if (page.errors.length > 0 || page.verb !== "ListIdentifiers") {
      const seen = describeErrors(page) || `ListIdentifiers was answered by ${page.verb ?? "nothing"}`;
      return { found: [["list-identifiers-fails", seen]] };
    }
    const identifiers = page.records.map(({ identifier }) => identifier);
    const missing = missingFrom(identifiers, checkup);
    if (missing === undefined) return {};
    return { found: [["list-identifiers-differs", `${missing} is in ListRecords only`]] };
  },
};

/** The first record of ListRecords that ListIdentifiers lacks, as far as both have been read. */
function missingFrom(identifiers: readonly string[], { list }: Checkup): string | undefined {
  const known = new Set(identifiers);
  return list?.firstIdentifiers.slice(0, identifiers.length).find((each) => !known.has(each));
}

/** A request without its required argument. @see https://www.openarchives.org/OAI/openarchivesprotocol.html#ErrorConditions */
export const badArgumentStep: Step = {
  request: ({ asked }) => ({ url: oaiRequestUrl(asked.baseUrl, "ListRecords", { until: "no-date" }) }),
  read(_checkup, answer) {
    if (answer.type === "unusable") return {};
    const { errors, records } = answer.page;
    if (errors.some(({ code }) => code === "badArgument")) return {};
    const seen = errors.length > 0 ? describeErrors(answer.page) : `${records.length} records`;
    return { found: [["bad-argument-accepted", seen]] };
  },
};
