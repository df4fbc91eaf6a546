import type { Answer } from "../../api/route-table.ts";
import { pathOf, withQuery } from "../../console/api.ts";
import type { PageRequest } from "../../console/page.ts";
import { spokenTime } from "../../console/parts/time.ts";
import { figure } from "../../console/texts/figure.ts";
import { fieldShown } from "../../deliver/pages/refused.ts";

/** An item that needs a person's attention, as `GET /today` lists it. */
export type Need = Answer<"GET /today">["needs"][number];

/** Describes a need in one sentence, with the page on which it can be resolved. */
function needSentence(need: Need, request: PageRequest): { sentence: string; to?: string } {
  const { needs } = request.texts;
  const at = (instant: string) => spokenTime(new Date(instant), request);
  switch (need.type) {
    case "network-down":
      return { sentence: needs.networkDown(at(need.since), need.why), to: "/console/hosts" };
    case "run-failed":
      return {
        sentence: needs.runFailed(at(need.at), need.stage, need.reason),
        to: pathOf`/console/runs/${need.runId}`,
      };
    case "failed-messages":
      return {
        sentence: needs.failedMessages(need.messages, need.queue, need.reason),
        to: "/console/failed-messages",
      };
    case "dead-letters":
      return { sentence: needs.deadLetters(need.messages, need.queue) };
    case "refused":
      return {
        sentence: needs.refused(
          need.count,
          request.texts.ruleNames[need.ruleId] ?? need.ruleId,
          fieldShown(need.field),
        ),
        to: withQuery("/console/refused", { mode: need.mode, reason: need.reason }),
      };
    case "deletions-held":
      return {
        sentence: (need.areFiles ? needs.fileDeletionsHeld : needs.deletionsHeld)(
          need.sourceId,
          need.documents,
          need.of,
        ),
        to: pathOf`/console/sources/${need.sourceId}`,
      };
    case "quality-drifted":
      return {
        sentence: needs.drifted(need.title, need.fields),
        to: pathOf`/console/sources/${need.sourceId}/quality`,
      };
    case "late":
      return {
        sentence: needs.late(need.sourceId, at(need.until)),
        to: pathOf`/console/sources/${need.sourceId}`,
      };
    case "overdue":
      return {
        sentence: needs.overdue(
          need.title,
          need.lastDeliveredAt && at(need.lastDeliveredAt),
          need.windowDays,
        ),
        to: pathOf`/console/sources/${need.sourceId}`,
      };
    case "collection-suppressed":
      return {
        sentence:
          need.by === "hold"
            ? needs.held(need.collectionId, need.reason)
            : needs.suppressed(need.collectionId, need.reason && request.texts.reason(need.reason)),
        to: pathOf`/console/collections/${need.collectionId}`,
      };
    case "host-paused":
      return {
        sentence: needs.hostPaused(need.hostKey, at(need.since), need.by, need.reason),
        to: pathOf`/console/hosts/${need.hostKey}`,
      };
    case "host-unavailable":
      return {
        sentence: needs.hostUnavailable(
          need.what,
          at(need.until),
          // The reason begins with the same text as the sentence.
          need.reason.replace(/^.* is unavailable since \S+: /, ""),
        ),
        to: pathOf`/console/hosts/${need.hostKey}`,
      };
    case "host-overbooked":
      return {
        sentence: needs.hostOverbooked(need.hostKey, checksNeed(need, request), need.collections),
        to: pathOf`/console/hosts/${need.hostKey}`,
      };
  }
}

/** Describes the time that the checks of an overbooked host need: `3.1 h of every 2 h`. */
export function checksNeed(
  { neededHours, everyHours }: { neededHours: number; everyHours: number },
  { texts }: Pick<PageRequest, "texts">,
): string {
  return texts.needs.hoursOfEvery(figure(neededHours), figure(everyHours));
}

/** The number of needs of a kind that are shown; the others are summarised in one line. */
const shownOfKind = 3;

/** The pages that list all needs of a kind. */
const lists: Partial<Record<Need["type"], string>> = {
  refused: "/console/refused",
  late: "/console/deliveries",
  overdue: "/console/sources?state=overdue",
  "collection-suppressed": "/console/collections",
  "host-paused": "/console/hosts",
  "host-unavailable": "/console/hosts",
  "host-overbooked": "/console/hosts",
};

/**
 * Describes all needs in sentences. If there are many needs of a kind, only the first ones are described, followed by
 * one line for the others.
 */
export function needSentences(
  needs: readonly Need[],
  request: PageRequest,
): { sentence: string; to?: string }[] {
  const types = [...new Set(needs.map(({ type }) => type))];
  return types.flatMap((type) => {
    const ofType = needs.filter((need) => need.type === type);
    const to = lists[type];
    const isLong = to !== undefined && ofType.length > shownOfKind + 1;
    const sentences = (isLong ? ofType.slice(0, shownOfKind) : ofType).map((need) =>
      needSentence(need, request),
    );
    if (!isLong) return sentences;
    return [...sentences, { sentence: request.texts.needs.more(ofType.length - shownOfKind, type), to }];
  });
}
