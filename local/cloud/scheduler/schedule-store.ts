import { DatabaseSync } from "node:sqlite";
import { defaultGroup } from "../actions/scheduler-actions.ts";

/** A schedule in the format of the Scheduler API and the templates. */
export interface ScheduleDefinition {
  readonly Name: string;
  readonly GroupName?: string;
  readonly ScheduleExpression: string;
  readonly ScheduleExpressionTimezone?: string;
  readonly FlexibleTimeWindow?: { readonly Mode: "OFF" | "FLEXIBLE" };
  readonly State?: "ENABLED" | "DISABLED";
  /** A string in a template, seconds since the epoch in the API. */
  readonly StartDate?: string | number;
  readonly EndDate?: string | number;
  readonly ActionAfterCompletion?: "NONE" | "DELETE";
  readonly Target: {
    readonly Arn: string;
    readonly RoleArn: string;
    readonly Input?: string;
    readonly DeadLetterConfig?: { readonly Arn?: string };
    readonly RetryPolicy?: {
      readonly MaximumRetryAttempts?: number;
      readonly MaximumEventAgeInSeconds?: number;
    };
    readonly SqsParameters?: { readonly MessageGroupId?: string };
  };
}

export interface StoredSchedule {
  readonly definition: ScheduleDefinition;
  readonly origin: "template" | "api";
  readonly createdMs: number;
  readonly modifiedMs: number;
  /** The next firing time; null means never. */
  readonly nextMs: number | null;
}

export interface ScheduleStore {
  get(group: string, name: string): StoredSchedule | undefined;
  put(schedule: StoredSchedule): void;
  remove(group: string, name: string): void;
  setNext(group: string, name: string, nextMs: number | null): void;
  /** Returns all schedules, ordered by group and name. */
  all(): StoredSchedule[];
  /** Returns the schedules due at the time, earliest first. */
  due(nowMs: number): StoredSchedule[];
  /** Returns the earliest firing time of all schedules; undefined if none fires. */
  earliestMs(): number | undefined;
  close(): void;
}

interface Row {
  readonly definition: string;
  readonly origin: "template" | "api";
  readonly created_ms: number;
  readonly modified_ms: number;
  readonly next_ms: number | null;
}

export function groupOf({ GroupName = defaultGroup }: ScheduleDefinition): string {
  return GroupName;
}

/**
 * Opens a store of schedules in an SQLite file, indexed by due time, because there may be thousands of
 * one-time schedules.
 */
export function openScheduleStore(file: string): ScheduleStore {
  const db = new DatabaseSync(file);
  db.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE IF NOT EXISTS schedules (
      group_name TEXT NOT NULL,
      name TEXT NOT NULL,
      definition TEXT NOT NULL,
      origin TEXT NOT NULL,
      created_ms INTEGER NOT NULL,
      modified_ms INTEGER NOT NULL,
      next_ms INTEGER,
      PRIMARY KEY (group_name, name)
    );
    CREATE INDEX IF NOT EXISTS schedules_by_next ON schedules (next_ms) WHERE next_ms IS NOT NULL;
  `);
  const get = db.prepare("SELECT * FROM schedules WHERE group_name = ? AND name = ?");
  const put = db.prepare("INSERT OR REPLACE INTO schedules VALUES (?, ?, ?, ?, ?, ?, ?)");
  const remove = db.prepare("DELETE FROM schedules WHERE group_name = ? AND name = ?");
  const setNext = db.prepare("UPDATE schedules SET next_ms = ? WHERE group_name = ? AND name = ?");
  const all = db.prepare("SELECT * FROM schedules ORDER BY group_name, name");
  const due = db.prepare("SELECT * FROM schedules WHERE next_ms <= ? ORDER BY next_ms");
  const earliest = db.prepare("SELECT min(next_ms) AS next_ms FROM schedules WHERE next_ms IS NOT NULL");
  return {
    get: (group, name) => {
      const row = get.get(group, name);
      return row === undefined ? undefined : parseRow(row);
    },
    put: ({ definition, origin, createdMs, modifiedMs, nextMs }) => {
      const text = JSON.stringify(definition);
      put.run(groupOf(definition), definition.Name, text, origin, createdMs, modifiedMs, nextMs);
    },
    remove: (group, name) => void remove.run(group, name),
    setNext: (group, name, nextMs) => void setNext.run(nextMs, group, name),
    all: () => all.all().map(parseRow),
    due: (nowMs) => due.all(nowMs).map(parseRow),
    earliestMs: () => (earliest.get() as { next_ms: number | null }).next_ms ?? undefined,
    close: () => db.close(),
  };
}

function parseRow(row: unknown): StoredSchedule {
  const { definition, origin, created_ms, modified_ms, next_ms } = row as Row;
  return {
    definition: JSON.parse(definition),
    origin,
    createdMs: created_ms,
    modifiedMs: modified_ms,
    nextMs: next_ms,
  };
}
