import { digest } from "../../../core/digest.ts";
import { pluralize } from "../../../core/pluralize.ts";
import { type Completeness, reasonOf } from "../../../formats/oai/completeness.ts";
import { isDatestamp } from "../../../formats/oai/datestamp.ts";
import { followList, type ListState, listRequest, startList } from "../../../formats/oai/list-state.ts";
import type { OaiPage } from "../../../formats/oai/page.ts";
import type { ListArguments } from "../../../formats/oai/request-url.ts";
import type { CheckedRepository, Found, ListFacts, Step } from "../checkup.ts";
import { noRating, rateRecords } from "../rate-metadata.ts";
import { judgeRecords } from "./judge-records.ts";

/** Identifiers that are remembered to find repeated ones; the state of a check is stored. */
const maxSeen = 5_000;
const maxFirst = 100;

/** The state of a check is stored: longer identifiers are not part of it. */
const maxIdentifierChars = 1_000;
const isStorable = (identifier: string) => identifier !== "" && identifier.length <= maxIdentifierChars;

/** A host's pause may be longer than such a token lives. */
const shortLifeMs = 600_000;

export const argumentsOf = ({ metadataPrefix, set }: CheckedRepository): ListArguments => ({
  metadataPrefix,
  ...(set !== undefined && { set }),
});

/** The pages of the list, up to the limit of the check. @see https://www.openarchives.org/OAI/openarchivesprotocol.html#ListRecords */
export const listStep: Step = {
  request: ({ asked, list }) => listRequest(asked.baseUrl, stateOf(asked, list)),
  read({ asked, identity, list: before }, answer, now) {
    const state = stateOf(asked, before);
    const step = followList(state, answer, { expectsRecords: false });
    const begin = before ?? beginList(state);
    if (step.type === "again") {
      const found: Found[] = [[whyAgain(state, step.next), step.reason]];
      return { facts: { list: { ...begin, state: step.next } }, found, isAgain: true };
    }
    const next = step.type === "end" ? step.state : step.next;
    const { page } = step;
    const list = { ...(page === undefined ? begin : survey(begin, page, state)), state: next };
    const records = page?.records ?? [];
    const last = state.token === undefined ? undefined : begin.lastDatestamp;
    const context = { identity, set: asked.set, last, now };
    const found = [
      ...judgeRecords(records, context),
      ...judgeToken(page, now),
      ...(list.repeated > begin.repeated ? [repeats(list.repeated - begin.repeated)] : []),
    ];
    if (step.type !== "end") {
      return { facts: { list }, found, isAgain: next.pagesRead < asked.pages };
    }
    const { completeness } = step;
    return {
      facts: { list: { ...list, completeness: completeness.type } },
      found: [...found, ...judgeEnd(list, completeness)],
    };
  },
};

function stateOf(asked: CheckedRepository, list: ListFacts | undefined): ListState {
  return list?.state ?? startList("ListRecords", argumentsOf(asked));
}

function beginList(state: ListState): ListFacts {
  return { state, records: 0, deleted: 0, repeated: 0, seen: [], firstIdentifiers: [], rating: noRating };
}

function whyAgain(before: ListState, next: ListState): Found[0] {
  if (next.restarts > before.restarts) return "token-expired";
  return next.failures > before.failures ? "page-repeated" : "token-form";
}

function survey(known: ListFacts, { records }: OaiPage, asked: ListState): ListFacts {
  const identifiers = records.map(({ identifier }) => identifier);
  const isBegin = asked.token === undefined;
  // A list that began again lists the same records again.
  const before = isBegin ? beginList(asked) : known;
  const seen = new Set(before.seen);
  let { repeated } = before;
  for (const identifier of identifiers) {
    const mark = digest("checked", identifier).slice(0, 8);
    if (seen.has(mark)) repeated += 1;
    else if (seen.size < maxSeen) seen.add(mark);
  }
  const valid = records.find(({ identifier, isDeleted }) => isStorable(identifier) && !isDeleted);
  const example = before.example ?? valid;
  const last = records.findLast(({ datestamp }) => isDatestamp(datestamp))?.datestamp ?? before.lastDatestamp;
  return {
    ...before,
    records: before.records + records.length,
    deleted: before.deleted + records.filter(({ isDeleted }) => isDeleted).length,
    repeated,
    seen: [...seen],
    ...(isBegin && { firstIdentifiers: identifiers.slice(0, maxFirst).filter(isStorable) }),
    ...(example && {
      example: { identifier: example.identifier, datestamp: example.datestamp.slice(0, 20) },
    }),
    ...(last !== undefined && { lastDatestamp: last }),
    rating: rateRecords(before.rating, records),
    ...(!isBegin && { byToken: { state: asked, digest: digestOf(identifiers) } }),
  };
}

/** Names the records of a page. */
export function digestOf(identifiers: readonly string[]): string {
  return digest("checked-page", ...identifiers);
}

function repeats(count: number): Found {
  return ["list-repeats", `${pluralize(count, "record")} came twice`];
}

function judgeToken(page: OaiPage | undefined, now: Date): Found[] {
  const { value = "", expirationDate } = page?.resumptionToken ?? {};
  if (value === "" || expirationDate === undefined) return [];
  const answeredAt = Date.parse(page?.responseDate ?? "");
  const livesMs = Date.parse(expirationDate) - (Number.isNaN(answeredAt) ? now.getTime() : answeredAt);
  return livesMs < shortLifeMs ? [["token-short-lived", `expirationDate ${expirationDate}`]] : [];
}

function judgeEnd({ records, state: { progress } }: ListFacts, completeness: Completeness): Found[] {
  const reason = reasonOf(completeness) ?? "";
  if (completeness.type === "interrupted") return [["list-broken", reason]];
  if (completeness.type === "short") return [["size-too-large", reason]];
  if (records === 0) return [["list-empty", "the list has no records"]];
  const { announced } = progress;
  if (announced === undefined || announced >= progress.records) return [];
  return [["size-too-small", `completeListSize ${announced}, but ${progress.records} records`]];
}
