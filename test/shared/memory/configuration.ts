import { isDeepStrictEqual } from "node:util";
import type { Write } from "../../../local/cli/memory/write.ts";
import { ConfigError } from "../../../shared/core/errors.ts";
import type { SourceRun, SourceRunKey, SourceRunStore } from "../../../shared/deliver/report/source-runs.ts";
import {
  ruleKey,
  type ValidationRule,
  type ValidationRuleStore,
} from "../../../shared/deliver/validation/rule.ts";
import type { Group } from "../../../shared/records/sources/group.ts";
import { settings } from "../../../shared/records/sources/settings.ts";
import type { Source, StoredSource } from "../../../shared/records/sources/source.ts";
import {
  type RecentRun,
  type SourceStatus,
  type SourceStatusStore,
  withRecentRun,
} from "../../../shared/records/sources/source-status.ts";
import type {
  SourceStore,
  UnusableGroup,
  UnusableSource,
} from "../../../shared/records/sources/source-store.ts";

/** The configuration, with what is not valid in it. */
interface ConfigurationState {
  sourcesById: Map<string, StoredSource>;
  unusable: UnusableSource[];
  groups: Map<string, Group>;
  unusableGroups: UnusableGroup[];
}

/** Sources and groups in memory, with the settings as by default. */
export function memorySources(memory: ConfigurationState): SourceStore {
  return {
    source: async (id) => {
      const unusable = memory.unusable.find(({ sourceId }) => sourceId === id);
      if (unusable !== undefined) throw new ConfigError(`source ${id} is not valid: ${unusable.problem}`);
      return memory.sourcesById.get(id);
    },
    sourcesByMode: async (mode) => ({
      sources: [...memory.sourcesById.values()].filter(
        ({ deliveryMode, newlySynced, paused }) => deliveryMode === mode && !newlySynced && !paused,
      ),
      unusable: memory.unusable,
    }),
    sourcesById: async (ids) => {
      const isNamed = ({ sourceId }: { sourceId: string }) => ids.includes(sourceId);
      const unusable = memory.unusable.filter(isNamed);
      const isUsable = ({ sourceId }: Source) => !unusable.some((each) => each.sourceId === sourceId);
      return { sources: [...memory.sourcesById.values()].filter(isNamed).filter(isUsable), unusable };
    },
    settings: async () => settings.parse({}),
    group: async (id) => {
      const unusable = memory.unusableGroups.find(({ groupId }) => groupId === id);
      if (unusable !== undefined) throw new ConfigError(`group ${id} is not valid: ${unusable.problem}`);
      return memory.groups.get(id);
    },
    groups: async () => ({ groups: [...memory.groups.values()], unusable: memory.unusableGroups }),
  };
}

/** How sources have fared, in memory. */
export function memoryStatus(
  memory: { statuses: Map<string, SourceStatus> },
  write: Write,
): SourceStatusStore {
  const recent = new Map<string, RecentRun[]>();
  return {
    statuses: async (ids) =>
      new Map(
        ids.flatMap((id) => (memory.statuses.has(id) ? [[id, memory.statuses.get(id) as SourceStatus]] : [])),
      ),
    recentRuns: async (ids) =>
      new Map(ids.flatMap((id) => (recent.has(id) ? [[id, recent.get(id) ?? []]] : []))),
    markAdded: (sourceId, addedAt) =>
      write(() => {
        memory.statuses.set(sourceId, { addedAt, ...(memory.statuses.get(sourceId) ?? { sourceId }) });
      }),
    markDelivered: (sourceId, at) =>
      write(() => {
        const known = memory.statuses.get(sourceId) ?? { sourceId };
        if (known.lastDeliveredAt === undefined || known.lastDeliveredAt < at) {
          memory.statuses.set(sourceId, { ...known, lastDeliveredAt: at });
        }
      }),
    addRun: (sourceId, run) =>
      write(() => void recent.set(sourceId, withRecentRun(recent.get(sourceId) ?? [], run))),
  };
}

/** The rules of validation in memory. */
export function memoryRules(
  memory: { validationRules: Map<string, ValidationRule> },
  write: Write,
): ValidationRuleStore {
  return {
    rules: async () => [...memory.validationRules.values()],
    page: async ({ source, limit, after = "" }) =>
      [...memory.validationRules]
        .filter(([key, rule]) => key > after && (source === undefined || rule.source === source))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, rule]) => rule)
        .slice(0, limit),
    put: (rule) => write(() => void memory.validationRules.set(ruleKey(rule), rule)),
    add: (rule) =>
      write(() => {
        const key = ruleKey(rule);
        if (memory.validationRules.has(key)) return false;
        memory.validationRules.set(key, rule);
        return true;
      }),
    remove: (subject) => write(() => memory.validationRules.delete(ruleKey(subject))),
    get: async (subject) => memory.validationRules.get(ruleKey(subject)),
    change: (before, after) =>
      write(() => {
        const key = ruleKey(before);
        if (!isDeepStrictEqual(memory.validationRules.get(key), before)) return false;
        if (after === undefined) memory.validationRules.delete(key);
        else memory.validationRules.set(key, after);
        return true;
      }),
  };
}

/** What runs brought of each source, in memory. */
export function memorySourceRuns(
  memory: { sourceRunsByKey: Map<string, SourceRun> },
  write: Write,
): SourceRunStore {
  const keyOf = ({ startedAt, runId }: SourceRunKey) => `${startedAt}#${runId}`;
  return {
    save: (run) => write(() => void memory.sourceRunsByKey.set(`${run.sourceId} ${keyOf(run)}`, run)),
    latest: async (sourceId, { limit, after }) =>
      [...memory.sourceRunsByKey.values()]
        .filter((run) => run.sourceId === sourceId && (after === undefined || keyOf(run) < keyOf(after)))
        .sort((a, b) => (keyOf(a) > keyOf(b) ? -1 : 1))
        .slice(0, limit),
  };
}
