import type { Completeness } from "../../formats/oai/completeness.ts";
import type { ListScope, Miscount, OaiHarvestState } from "../oai-state/harvest-state.ts";
import type { ListPlan } from "../oai-state/list-plan.ts";

/** The number of lists in a row that lack the same number of records, after which the stated size is known to be wrong. */
const timesUntilKnown = 3;

/**
 * How complete a list is: one whose size the repository states wrongly, time and again by the same number, is complete.
 * What it lacks is deleted by the repository's word for each record alone, so that a list that is cut at the same place
 * time and again deletes nothing; new records behind that place are found by the lists of changes.
 */
export function believedCompleteness(
  completeness: Completeness,
  plan: Pick<ListPlan, "isFull">,
  { miscounts }: Pick<OaiHarvestState, "miscounts">,
): Completeness {
  if (completeness.type !== "short") return completeness;
  const scope = scopeOf(plan);
  const after = countOnce(miscounts?.[scope], completeness, scope);
  return isKnown(after) ? { type: "complete" } : completeness;
}

/** The state with what a list shows of the sizes that its repository states. A list of the right size ends the count. */
export function countMiscount(
  state: OaiHarvestState,
  plan: Pick<ListPlan, "isFull">,
  completeness: Completeness,
): OaiHarvestState {
  const scope = scopeOf(plan);
  const { miscounts: { [scope]: before, ...others } = {}, ...rest } = state;
  const isCounted = completeness.type === "short";
  if (!isCounted && completeness.type !== "complete") return state;
  const miscounts = isCounted ? { ...others, [scope]: countOnce(before, completeness, scope) } : others;
  return Object.keys(miscounts).length === 0 ? rest : { ...rest, miscounts };
}

/** The sizes that are known to be wrong. */
export function wrongSizesOf({
  miscounts = {},
}: Pick<OaiHarvestState, "miscounts">): { lists: ListScope; announced: number; read: number }[] {
  return (["full", "changes"] as const).flatMap((lists) => {
    const miscount = miscounts[lists];
    if (miscount === undefined || !isKnown(miscount)) return [];
    return [{ lists, announced: miscount.announced, read: miscount.read }];
  });
}

function isKnown({ times }: Miscount): boolean {
  return times >= timesUntilKnown;
}

/**
 * A list with less than half of what is announced is cut, however often. A repeated list of changes is not further
 * evidence: it counts when its stated size changes.
 */
function countOnce(
  before: Miscount | undefined,
  { announced, read }: Pick<Miscount, "announced" | "read">,
  scope: ListScope,
): Miscount {
  const isSame = before !== undefined && before.announced - before.read === announced - read;
  if (isSame && scope === "changes" && before.announced === announced) return before;
  const isPlausible = 2 * read >= announced;
  return { announced, read, times: isPlausible ? (isSame ? before.times : 0) + 1 : 0 };
}

function scopeOf({ isFull }: Pick<ListPlan, "isFull">): ListScope {
  return isFull ? "full" : "changes";
}
