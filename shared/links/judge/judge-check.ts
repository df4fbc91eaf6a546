import { dayIn } from "../../core/day.ts";
import { hostKeyOf } from "../../web/address/host-key.ts";
import type { BodyReader } from "../../web/gate/bodies.ts";
import type { RequestQueue } from "../../web/request/request.ts";
import type { InboundResponse } from "../../web/request/response.ts";
import type { LinkHistory } from "../check/check-history.ts";
import { type LinkCheck, postponedCheck, readCheck } from "../check/link-check.ts";
import { loadChain } from "../check/load-chain.ts";
import { isWithdrawn } from "../check/withdrawn.ts";
import { compileRule } from "../rule/rule.ts";
import { type Collection, effectiveCollection, isExcludedFromChecks } from "../status/collection.ts";
import { checkResultOf } from "../status/stored-sweep.ts";
import type { LinkSamples } from "../sweep/link-samples.ts";
import { type Judgement, judgeLink } from "../verdict/verdict.ts";
import { type JudgeCollectionPorts, judgeCollection } from "./judge-collection.ts";
import { type JudgeRecordPorts, judgeRecord, postponeAttempt } from "./judge-record.ts";

type JudgeCheckPorts = JudgeRecordPorts &
  JudgeCollectionPorts & {
    bodies: BodyReader;
    history: Pick<LinkHistory, "add">;
    samples: Pick<LinkSamples, "add">;
    requests: RequestQueue;
    networkIsDown(): Promise<boolean>;
  };

/**
 * Judges the response to a check, and updates the record. For a sample, also updates the collection. While our network
 * is down, nothing is judged: the check is sent back to the gate, which waits. A check changes no link status if it was
 * withdrawn or if its collection has been excluded from checks meanwhile. An attempt is then postponed. A sample then
 * counts as not checked, so that its sweep ends.
 */
export async function judgeCheck(response: InboundResponse, ports: JudgeCheckPorts): Promise<void> {
  const check = readCheck(response.request);
  if (await ports.networkIsDown()) return ports.requests.send([postponedCheck(response.request, check)]);
  const { checkId, purpose } = check;
  const { rule, collection } = await loadRule(check, ports);
  if (isWithdrawn(response) || (collection !== undefined && isExcludedFromChecks(collection)))
    return stopCheck(check, { collection, ports });
  const judgement = judgeLink(await loadChain(response, ports.bodies), compileRule(rule));
  await storeCheck(check, judgement, ports);
  await countUnjudged(check, { url: response.request.url, ...judgement }, ports);
  if (collection !== undefined) await judgeRecord(check, judgement, { collection, ports });
  if (purpose.type === "collection") {
    await judgeCollection({ checkId, sweepId: purpose.sweepId }, checkResultOf(judgement), ports);
  }
}

async function stopCheck(
  check: LinkCheck,
  { collection, ports }: { collection: Collection | undefined; ports: JudgeCheckPorts },
): Promise<void> {
  const { checkId, purpose } = check;
  if (purpose.type === "collection") {
    const result = { verdict: "inconclusive", reason: "withdrawn", notCounted: "not-checked" } as const;
    await judgeCollection({ checkId, sweepId: purpose.sweepId }, result, ports);
  } else if (collection !== undefined) {
    await postponeAttempt(check, { collection, ports });
  }
}

/**
 * Loads the rule of a check. Loads the collection only where the link status of the record may change: a sample can
 * only restore the record.
 */
async function loadRule(
  { known, collectionId }: LinkCheck,
  { collections }: Pick<JudgeCheckPorts, "collections">,
): Promise<{ rule: Collection["rule"]; collection?: Collection }> {
  if (known?.isSuppressed === false) return { rule: known.rule };
  const collection = effectiveCollection(await collections.get(collectionId), collectionId);
  return { rule: known?.rule ?? collection.rule, collection };
}

async function storeCheck(check: LinkCheck, judgement: Judgement, ports: JudgeCheckPorts): Promise<void> {
  const { checkId, recordId, collectionId, requestedAt, purpose } = check;
  const { verdict, finding, sign, reason, hops, notCounted } = judgement;
  const judgedAt = ports.clock.now().toISOString();
  await ports.history.add({
    checkId,
    recordId,
    requestedAt,
    judgedAt,
    purpose: purpose.type,
    verdict,
    finding,
    reason,
    hops,
    ...(sign !== undefined && { sign }),
    ...(notCounted && { notCounted }),
  });
  if (purpose.type === "estimate") {
    await ports.samples.add({ collectionId, day: purpose.day, recordId, verdict });
  }
}

const countedAs = {
  "our-limit": "unjudged",
  "no-evidence": "unjudged",
  "not-checked": "unjudged",
  "refuses-us": "refused",
} as const;

/**
 * Counts links that we cannot judge, because otherwise nobody would notice when they break. The daily mail reports
 * them.
 */
async function countUnjudged(
  { recordId, collectionId }: LinkCheck,
  { hops, reason, notCounted, ...last }: Judgement & { url: string },
  { statistics, clock, timeZone }: Pick<JudgeCheckPorts, "statistics" | "clock" | "timeZone">,
): Promise<void> {
  if (notCounted === undefined || notCounted === "unavailable") return;
  const day = dayIn(timeZone, clock.now());
  const url = hops[0]?.url ?? last.url;
  const change = countedAs[notCounted];
  const refusedBy = change === "refused" ? { host: hostKeyOf(hops.at(-1)?.url ?? url) } : {};
  await statistics.add({ day, collectionId, change, recordId, url, reason, ...refusedBy });
}
