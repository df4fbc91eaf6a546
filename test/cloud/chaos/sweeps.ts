import { requestsQueue } from "../../../shared/adapters/aws/queues.ts";
import { recordStore } from "../../../shared/adapters/records/record-store.ts";
import { draftCheck } from "../../../shared/links/check/link-check.ts";
import { readCollection } from "../../../shared/links/status/collection.ts";
import { collectionStore } from "../../../shared/links/stores/collection-store.ts";
import { functionNames } from "../../../shared/names.ts";
import type { ChaosCloud } from "./chaos-cloud.ts";

const hourMs = 3_600_000;

/** How the links of a collection are: `mixed` has one dead one, and those of `back` are dead for an hour. */
export const kinds = ["living", "dead", "mixed", "back", "held"] as const;
export type Kind = (typeof kinds)[number];

/** Of a collection: the two oldest and the two newest are sampled, and the middle ones are checked for their own. */
const records = [1, 2, 3, 4, 5, 6];
const middle = [3, 4];

/** A record of a collection, and where its page is. */
export interface Link {
  kind: Kind;
  number: number;
  collectionId: string;
  recordId: string;
  url: string;
}

/** One collection of each kind on each host. */
export function linksOf(hosts: string[]): Link[] {
  return hosts.flatMap((host) =>
    kinds.flatMap((kind) =>
      records.map((number) => {
        const collectionId = `${kind}-${host.replaceAll(/\W/g, "-")}`;
        return {
          kind,
          number,
          collectionId,
          recordId: `${collectionId}-${number}`,
          url: `http://${host}/${kind}/${number}`,
        };
      }),
    ),
  );
}

export const isSampled = ({ number }: Link) => !middle.includes(number);

export function isDead({ kind, number }: Pick<Link, "kind" | "number">, isBack: boolean): boolean {
  return kind === "dead" || (kind === "mixed" && number === middle[0]) || (kind === "back" && !isBack);
}

/** The hours after the start at which sweeps start; the first one is also when all records are checked. */
const sweepHours = [0, 20, 80];

/** The waits before further attempts, in hours: those of a collection without settings. */
export const recheckDelaysHours = [1, 8, 64];

/** The hours after the start at which a link must be requested: the model of sweeps and attempts. */
export function expectedHours(link: Link): number[] {
  const attempts = recheckDelaysHours.map((_delay, index) =>
    recheckDelaysHours.slice(0, index + 1).reduce((sum, hours) => sum + hours, 0),
  );
  const [first = 0] = attempts;
  if (link.kind === "held") return [];
  if (link.kind === "back") return isSampled(link) ? [...sweepHours, first] : [0, first];
  if (!isSampled(link)) return isDead(link, true) ? [0, ...attempts] : [0];
  // A deleted collection is no longer swept.
  return link.kind === "dead" ? [...sweepHours.slice(0, -1), ...attempts] : sweepHours;
}

/** Stores collections and records, checks the middle ones, and sweeps, until nothing is left to do. */
export async function sweepUnderChaos(
  links: Link[],
  { chaos, onFirstSweep }: { chaos: ChaosCloud; onFirstSweep(): void },
): Promise<{ startMs: number }> {
  for (const link of links) await store(link);
  const startMs = Date.now();
  for (const hours of sweepHours) {
    await chaos.untilTime(startMs + hours * hourMs);
    await chaos.until(sweep(chaos, new Date(startMs + hours * hourMs)));
    if (hours > 0) continue;
    await requestsQueue().send(
      links.filter((link) => !isSampled(link)).map((link) => firstCheck(link, startMs)),
    );
    await chaos.untilTime(startMs + hourMs / 2);
    onFirstSweep();
  }
  await chaos.untilTime(startMs + (sweepHours.at(-1) ?? 0) * hourMs + hourMs);
  return { startMs };
}

/** Starts a sweep, twice at once, until one of the invocations is done. */
async function sweep({ cloud }: ChaosCloud, at: Date): Promise<void> {
  const invoke = () => cloud.invoke(functionNames.sweepCollections, { time: at.toISOString() });
  for (;;) {
    const outcomes = await Promise.allSettled([invoke(), invoke()]);
    if (outcomes.some(({ status }) => status === "fulfilled")) return;
  }
}

async function store({ kind, number, collectionId, recordId, url }: Link): Promise<void> {
  const rule = { throttleSeconds: 0.02 };
  if (number === 1)
    await collectionStore().save(
      readCollection({ collectionId, title: collectionId, rule, hold: kind === "held" }),
    );
  const marc = { leader: "00000naa a22000002u 4500", control: [], fields: [] };
  const of = { recordId, collectionId, sourceId: collectionId, groupId: "Ingather" };
  await recordStore().save({
    ...of,
    runId: "first",
    deliveryMode: "LIVE",
    title: recordId,
    landingUrl: url,
    syndicatedAt: new Date(Date.UTC(2026, 0, number)).toISOString(),
    hash: recordId,
    recordKey: await recordStore().storeMarc(recordId, marc),
    state: "harvested",
    updatedAt: "2026-11-20T00:00:00.000Z",
  });
}

/** The check that a reader requests who opens the page. */
function firstCheck({ recordId, collectionId, url }: Link, startMs: number) {
  const requestedAt = new Date(startMs).toISOString();
  const purpose = { type: "record" as const, attempt: 0 };
  const check = { checkId: `check-${recordId}`, recordId, collectionId, requestedAt, purpose };
  return draftCheck(
    url,
    check,
    readCollection({ collectionId, title: collectionId, rule: { throttleSeconds: 0.02 } }),
  );
}
