import type { Wording } from "../../core/field-table.ts";
import type { NewSource } from "../../records/sources/source.ts";
import { type Checkup, hasFound } from "./checkup.ts";
import { meanShare } from "./rate-metadata.ts";

/** A setting that is not as by default, and why. */
interface Reason {
  setting: string;
  why: Wording;
}

/** The settings of a source that suit a repository. */
export interface ProposedSettings {
  settings: Pick<NewSource, "oai" | "throttleMs">;
  reasons: Reason[];
}

/** A list of more records takes long enough to read its headers alone. */
const manyRecords = 5_000;
/** The number of records whose list takes longer than most tokens live. */
const hugeList = 200_000;

/** A format with more structure may say a little less. */
const tolerance = 0.1;

const busyThrottleMs = 5_000;

/** Proposes the settings by what was found. */
export function proposeSettings(checkup: Checkup): ProposedSettings {
  const { asked, identity, list } = checkup;
  const oai: NonNullable<NewSource["oai"]> = { metadataPrefix: asked.metadataPrefix };
  if (asked.set !== undefined) oai.set = asked.set;
  const reasons: Reason[] = [];
  const because = (setting: string, en: string, de: string) => reasons.push({ setting, why: { en, de } });
  const better = betterPrefix(checkup);
  if (better !== undefined) {
    oai.metadataPrefix = better;
    because("oai.metadataPrefix", `${better} says more`, `${better} sagt mehr`);
  }
  const size = sizeOf(checkup);
  const canAskForDates = !hasFound(checkup, "window-refused", "window-empty", "window-ignored");
  if (!canAskForDates && identity?.deletedRecord !== "persistent") {
    oai.fullHarvestDays = 1;
    because(
      "oai.fullHarvestDays",
      "changes cannot be asked for",
      "nach Änderungen kann nicht gefragt werden",
    );
  }
  const isFragile = hasFound(checkup, "list-broken", "token-expired") && (list?.records ?? 0) > 0;
  if (canAskForDates && (isFragile || size > hugeList)) {
    oai.slice = "month";
    if (isFragile) because("oai.slice", "the list breaks", "die Liste bricht ab");
    else because("oai.slice", `${size} records in one list`, `${size} Datensätze in einer Liste`);
  }
  const readsIdentifiers = !hasFound(checkup, "list-identifiers-fails", "list-identifiers-differs");
  const isReconciled = identity?.deletedRecord !== "persistent" && oai.fullHarvestDays === undefined;
  if (readsIdentifiers && isReconciled && size > manyRecords) {
    oai.reconcileBy = "identifiers";
    because(
      "oai.reconcileBy",
      `${size} records in a full list`,
      `${size} Datensätze in einer vollständigen Liste`,
    );
  }
  const isBusy = hasFound(checkup, "busy");
  if (isBusy) because("throttleMs", "the repository asks for pauses", "das Repositorium bittet um Pausen");
  return { settings: { oai, ...(isBusy && { throttleMs: busyThrottleMs }) }, reasons };
}

/** The prefix of the sample, if its records say as much as those of the list. */
function betterPrefix({ sample, list }: Checkup): string | undefined {
  if (sample === undefined || sample.rating.records === 0) return undefined;
  const isAsGood = meanShare(sample.rating) >= meanShare(list?.rating ?? sample.rating) - tolerance;
  return isAsGood ? sample.metadataPrefix : undefined;
}

/** What is known of the size of the list, at least. */
function sizeOf({ list }: Checkup): number {
  return Math.max(list?.records ?? 0, list?.state.progress.announced ?? 0);
}
