import { dayMs } from "../../core/day.ts";
import { digest } from "../../core/digest.ts";
import { isDatestamp } from "../../formats/oai/datestamp.ts";
import type { OaiIdentity } from "../../formats/oai/page.ts";
import type { ListArguments } from "../../formats/oai/request-url.ts";
import { setsOf } from "../../records/sources/oai-fields.ts";
import type { Source } from "../../records/sources/source.ts";
import type { OaiHarvestState } from "./harvest-state.ts";
import type { ListPlan, ListSlices } from "./list-plan.ts";

/** Whether a source delivers, and its list has been read for its documents alone: the mode was `NONE`. */
export function isUndelivered(
  { deliveryMode }: Partial<Pick<Source, "deliveryMode">>,
  state: Pick<OaiHarvestState, "isKeptOnly"> | undefined,
): boolean {
  return state?.isKeptOnly === true && deliveryMode !== "NONE";
}

/** Names the list of a source: its repository, format and sets. */
export function listKeyOf({ url, oai }: Pick<Source, "url" | "oai">): string {
  const { metadataPrefix, from } = oai;
  const sets = setsOf(oai).map(({ set = "" }) => set);
  return digest("oai-list", url, metadataPrefix, sets.join(" "), from ?? "");
}

/**
 * Plans a list: what has changed since the first page of the last complete list, with one granule of overlap; or all
 * records, for the first time and, where deleted records are not kept forever, from time to time.
 * @param identity undefined when the repository did not answer Identify usably; then only days are safe
 * @see https://www.openarchives.org/OAI/openarchivesprotocol.html#DeletedRecords
 */
export function planList(
  source: Pick<Source, "url" | "oai"> & Partial<Pick<Source, "deliveryMode">>,
  {
    state,
    identity,
    now,
  }: { state: OaiHarvestState | undefined; identity: OaiIdentity | undefined; now: Date },
): ListPlan {
  const { metadataPrefix, from, fullHarvestDays, reconcileBy } = source.oai;
  const sets = setsOf(source.oai).flatMap(({ set }) => set ?? []);
  const [set, ...furtherSets] = sets;
  const isOneList = set === undefined || furtherSets.length > 0;
  const base: ListArguments = { metadataPrefix, ...(!isOneList && { set }) };
  const list = {
    baseUrl: source.url,
    listKey: listKeyOf(source),
    ...(furtherSets.length > 0 && { sets }),
  };
  const known = state?.listKey === list.listKey ? state : undefined;
  const keepsDeleted = identity?.deletedRecord === "persistent";
  const windowStart = known?.responseDate && granuleBefore(known.responseDate, identity?.granularity);
  const fullMs = fullHarvestDays * dayMs;
  const isFullDue =
    !keepsDeleted && fullMs > 0 && now.getTime() - Date.parse(known?.lastFullAt ?? "") >= fullMs;
  if (windowStart !== undefined && !isFullDue && !state?.isFullWanted && !isUndelivered(source, known)) {
    const args = { ...base, from: windowStart };
    return { ...list, args, isFull: false, findsDeletions: false, expectsRecords: false };
  }
  const slices = slicesOf(source, { identity, now });
  const isReconciling =
    known?.lastFullAt !== undefined && !state?.isFullWanted && !isUndelivered(source, known);
  const readsHeaders = isReconciling && reconcileBy === "identifiers" && windowStart !== undefined;
  return {
    ...list,
    args: { ...base, ...(from !== undefined && { from }) },
    ...(slices && { slices }),
    ...(readsHeaders && { identifiers: { changesFrom: windowStart } }),
    isFull: true,
    findsDeletions: known?.lastFullAt !== undefined && (!keepsDeleted || state?.isFullWanted === true),
    expectsRecords: state?.recordsOf === list.listKey,
  };
}

/** Repositories give unknown times as 1970, and the first repositories are of 2001. */
const firstMonth = "2000-01";

/** The slices of a full list; undefined for a source that has none. */
function slicesOf(
  { oai: { slice, from } }: Pick<Source, "oai">,
  { identity, now }: { identity: OaiIdentity | undefined; now: Date },
): ListSlices | undefined {
  if (slice === "none") return undefined;
  const last = now.toISOString().slice(0, 10);
  const stated = [from ?? identity?.earliestDatestamp].find((day) => isDatestamp(day ?? "")) ?? firstMonth;
  const begin = stated > firstMonth && stated <= last ? stated : firstMonth;
  const first = slice === "year" ? `${begin.slice(0, 4)}-01` : begin.slice(0, 7);
  return { unit: slice, first, last, isInSeconds: identity?.granularity.includes("hh") === true };
}

/** One granule before a time; undefined for what is not a time: then the whole list is read. */
function granuleBefore(responseDate: string, granularity: string | undefined): string | undefined {
  const ms = Date.parse(responseDate);
  if (Number.isNaN(ms)) return undefined;
  if (!granularity?.includes("hh")) return new Date(ms - dayMs).toISOString().slice(0, 10);
  return `${new Date(ms - 1000).toISOString().slice(0, 19)}Z`;
}
