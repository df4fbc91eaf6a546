import * as z from "zod";
import { count, time } from "../../api/answer.ts";
import { afterText, pageLimit } from "../../api/paging.ts";
import type { Clock } from "../../core/clock.ts";
import { hasWords } from "../../core/has-words.ts";
import { describeProblems } from "../../core/schema-problems.ts";
import { stillOverdue } from "../../records/runs/overdue-sources.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { ConfigurationStore } from "../../records/sources/conf/configuration-store.ts";
import type { ConfigurationItem } from "../../records/sources/configuration.ts";
import type { ConfigurationTable } from "../../records/sources/configuration-fields.ts";
import { deliveryModes } from "../../records/sources/delivery-mode.ts";
import { sourceOperatorRows } from "../../records/sources/operator-fields.ts";
import { type Source, source } from "../../records/sources/source.ts";
import {
  type SourceState,
  type SourceTroubles,
  sourceStateOf,
  sourceStates,
} from "../../records/sources/source-state.ts";
import type { SourceStatusStore } from "../../records/sources/source-status.ts";
import { sourceTypes } from "../../records/sources/source-type.ts";
import type { ListUnavailableHosts } from "../../web/gate/host-state.ts";

export interface SourceListPorts {
  configuration: Pick<ConfigurationStore, "page">;
  status: Pick<SourceStatusStore, "statuses" | "recentRuns">;
  runs: Pick<RunStore, "listLatest" | "stageResult">;
  unavailableHosts: ListUnavailableHosts;
  clock: Pick<Clock, "now">;
}

export const sourceListQuery = z.strictObject({
  limit: pageLimit({ most: 1000, otherwise: 100 }),
  after: z.string().min(1).max(128).optional().describe(afterText),
  q: z
    .string()
    .max(200)
    .optional()
    .describe("Only sources with all these words in title, id, URL, group or ISSN"),
  type: z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(z.enum(sourceTypes)))
    .optional()
    .describe("Only sources of these types, separated by commas")
    .meta({ type: "string" }),
  mode: z.enum(deliveryModes).optional(),
  state: z.enum(sourceStates).optional().describe("Only sources in this state; requires `status`"),
  status: z
    .enum(["true", "false"])
    .default("false")
    .describe("Also returns the state of each source, its last delivery, and the results of its last runs"),
});
type SourceListQuery = z.output<typeof sourceListQuery>;

/** The fields that a list contains for a source with `status`. */
export const sourceStatusFields = z.strictObject({
  state: z
    .enum(sourceStates)
    .optional()
    .describe("Set with `status`: the most urgent state of the source. `overdue` is as of the last run"),
  lastDeliveredAt: time.optional().describe("With `status`"),
  recentRuns: z
    .array(
      z.strictObject({
        runId: z.string(),
        startedAt: time,
        state: z.enum(["read", "failed"]),
        delivered: count,
      }),
    )
    .optional()
    .describe("With `status`: newest first, 28 at most"),
});

/** The fields of an invalid source that are shown, because they have at least the right type. */
const typedFields = z
  .object({
    title: z.string(),
    type: z.string(),
    url: z.string(),
    groupId: z.string(),
    deliveryMode: z.enum(deliveryModes),
    updateWindowDays: z.number(),
    collectionId: z.string(),
    addedAt: z.string(),
    throttleMs: z.number(),
    obeyRobots: z.boolean(),
    paused: z.boolean(),
  })
  .partial().shape;

export const invalidSource = z.looseObject({
  sourceId: z.string(),
  problem: z.string().describe("The problem of the stored source"),
  ...typedFields,
});

/** A source in a list. An invalid source has `problem`, and its stored fields as far as they are usable. */
type ShownSource = Partial<Source> & { problem?: string };

export function sourceView({ id, value }: ConfigurationItem): ShownSource {
  const { data, error } = source.safeParse(value);
  return (
    data ?? {
      ...withoutMistyped(value),
      sourceId: id,
      problem: `source ${id}: ${describeProblems(error as z.ZodError)}`,
    }
  );
}

function withoutMistyped(value: ConfigurationItem["value"]) {
  const schemas: Record<string, z.ZodType> = typedFields;
  return Object.fromEntries(
    Object.entries(value).filter(([name, each]) => schemas[name]?.safeParse(each).success ?? true),
  );
}

/** The number of sources that are read at once. It is enough for all sources of a large library. */
const readAtOnce = 1000;
const maxUnavailableHosts = 1000;

/** Returns a page of the sources that match the query, sorted by id, in brief. */
export async function listSources(
  query: SourceListQuery,
  ports: SourceListPorts,
): Promise<{ sources: object[]; next?: string }> {
  const { limit, q, type, mode, state } = query;
  const isFiltered = [q, type, mode, state].some((each) => each !== undefined);
  const needsTroubles = state !== undefined || query.status === "true";
  const finding = needsTroubles ? findTroubles(ports) : Promise.resolve(undefined);
  const found: (object & { sourceId: string })[] = [];
  let after = query.after;
  do {
    const size = isFiltered ? readAtOnce : limit + 1;
    const [items, troubles] = await Promise.all([
      ports.configuration.page("source", { limit: size, after }),
      finding,
    ]);
    const meant = items.filter((item) => matches(item, query));
    const wanted = limit + 1 - found.length;
    const possible =
      state === undefined
        ? meant.slice(0, wanted).map(viewOf)
        : meant.map(viewOf).filter((each) => mayBe(state, each, troubles));
    // To filter by these states, the results of the last run are needed for all sources; otherwise, only for the
    // sources of the page.
    const isByRun = state === "failed" || state === "active";
    const rows = await withStatus(isByRun ? possible : possible.slice(0, wanted), troubles, ports);
    found.push(...rows.filter((row) => state === undefined || row.state === state));
    after = items.length === size ? items.at(-1)?.id : undefined;
  } while (found.length <= limit && after !== undefined);
  const sources = found.slice(0, limit);
  const last = found.length > limit ? sources.at(-1) : undefined;
  return { sources, ...(last && { next: last.sourceId }) };
}

/** Returns whether a stored source, valid or not, matches the query. */
function matches({ id, value }: ConfigurationItem, { q = "", type, mode }: SourceListQuery): boolean {
  const { title, url, groupId, deliveryMode } = value;
  return (
    hasWords(q, [id, title, url, groupId, ...issnsOf(value)]) &&
    (type === undefined || (type as unknown[]).includes(value.type)) &&
    (mode === undefined || deliveryMode === mode)
  );
}

/** Returns the ISSNs of a stored source, valid or not, with and without hyphen. */
function issnsOf({ online, print }: ConfigurationItem["value"]): string[] {
  return [online, print].flatMap((edition) => {
    const issn = (edition as { issn?: unknown } | null | undefined)?.issn;
    return typeof issn === "string" ? [issn, issn.replace("-", "")] : [];
  });
}

/** Returns the overdue sources that the last run found, and the hosts that currently get no requests. */
async function findTroubles(ports: SourceListPorts): Promise<SourceTroubles> {
  const findOverdue = async () => {
    const runs = await ports.runs.listLatest("LIVE", { limit: 10 });
    return stillOverdue(
      runs.find((run) => run.state === "finished"),
      ports,
    );
  };
  const [overdue, hosts] = await Promise.all([
    findOverdue(),
    ports.unavailableHosts(ports.clock.now(), maxUnavailableHosts),
  ]);
  return {
    overdue: new Set(overdue.map(({ sourceId }) => sourceId)),
    unavailableHosts: new Set(hosts.map(({ hostKey }) => hostKey)),
  };
}

/** Returns whether a source may be in a state, as far as this can be decided without its last run. */
function mayBe(state: SourceState, { view, summary, origin }: ViewedSource, troubles = noTroubles): boolean {
  const source = { ...summary, ...origin };
  const known = sourceStateOf(source, troubles, { isValid: view.problem === undefined, lastRun: undefined });
  return known === state || (known === "active" && state === "failed");
}

const noTroubles: SourceTroubles = { overdue: new Set(), unavailableHosts: new Set() };

async function withStatus(
  sources: readonly ViewedSource[],
  troubles: SourceTroubles | undefined,
  { status }: Pick<SourceListPorts, "status">,
): Promise<(object & { sourceId: string; state?: SourceState })[]> {
  if (troubles === undefined) return sources.map(({ summary }) => summary);
  const ids = sources.map(({ summary }) => summary.sourceId);
  const [statuses, runs] = await Promise.all([status.statuses(ids), status.recentRuns(ids)]);
  return sources.map(({ view, summary, origin }) => {
    const { lastDeliveredAt } = statuses.get(summary.sourceId) ?? {};
    const recentRuns = runs.get(summary.sourceId) ?? [];
    const isValid = view.problem === undefined;
    const state = sourceStateOf({ ...summary, ...origin }, troubles, { isValid, lastRun: recentRuns[0] });
    return { ...summary, state, ...(lastDeliveredAt !== undefined && { lastDeliveredAt }), recentRuns };
  });
}

type ViewedSource = ReturnType<typeof viewOf>;

/**
 * Returns the listed fields of a source: those that identify it, and those that only operators set
 * (`operatorFields.source`).
 */
function viewOf(item: ConfigurationItem) {
  const view = sourceView(item);
  const { title, type, url, groupId, deliveryMode, problem } = view;
  const beyondFile = valuesOf(sourceOperatorRows, view);
  const fields = { sourceId: item.id, title, type, url, groupId, deliveryMode, ...beyondFile, problem };
  return {
    view,
    summary: fields as typeof fields & Pick<Source, "url" | "paused" | "deliveryMode">,
    origin: item.addedBy === "api" ? { isAdded: true as const } : {},
  };
}

/** Returns the values of these fields, including fields within other fields. */
function valuesOf(table: ConfigurationTable, of: object): Record<string, unknown> {
  const values = Object.entries(table).map(([name, { fields }]) => {
    const value = (of as Record<string, unknown>)[name];
    return [name, fields ? valuesOf(fields, Object(value)) : value];
  });
  return Object.fromEntries(values);
}
