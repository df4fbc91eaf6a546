import type { Clock } from "../../core/clock.ts";
import { PlatformError } from "../../core/errors.ts";
import { type LeasePorts, withRenewedLease } from "../../core/lease.ts";
import { setSpecOf } from "../sets/set-spec.ts";
import { datestampOf, inSeconds, keyRange } from "./change-key.ts";
import type { ChangeLog, LoggedItems, LogState } from "./change-log.ts";
import { itemStateOf } from "./item-state.ts";
import { planChanges } from "./plan-changes.ts";

export interface LogPorts extends LeasePorts {
  log: ChangeLog;
  items: LoggedItems;
  clock: Clock;
  /** Returns a new key that signs resumption tokens. */
  newTokenKey(): string;
}

/** A writer that dies blocks the log for this time. */
const leaseMs = 60_000;

/** The least time between two statements of the time without a change. */
const leastMarkMs = 30_000;

/** The number of records of a collection that are logged again at a time. */
const walkSize = 50;

/**
 * Logs the changes of marked records and documents, then those of the records of collections that searches began to
 * hide or to show. If the work was interrupted, the next invocation continues it.
 * @param until when to stop; the next invocation continues
 * @returns the number of logged changes
 * @throws PlatformError when another writer has taken over
 */
export async function logChanges(until: Date, ports: LogPorts): Promise<{ logged: number }> {
  const held = await withRenewedLease({ key: "change-log", forMs: leaseMs }, ports, async (assertHeld) => {
    const writer = new LogWriter(await openLog(ports), ports);
    await writer.finishPlanned();
    await writer.readHidden();
    do assertHeld();
    while (ports.clock.now() < until && (await writer.logSome()));
    await writer.markTime();
    return writer.logged;
  });
  return { logged: held.type === "done" ? held.result : 0 };
}

async function openLog({ log, clock, newTokenKey }: LogPorts): Promise<LogState> {
  const known = await log.state();
  if (known !== undefined) return known;
  const now = inSeconds(clock.now());
  const state = { asOf: now, startedAt: now, tokenKey: newTokenKey(), revision: 1 };
  if (!(await log.saveState(state))) throw new PlatformError("another writer has opened the change log");
  return state;
}

/** The writer of the log, which holds its lease. */
class LogWriter {
  logged = 0;
  private state: LogState;
  private hidden: ReadonlySet<string> = new Set();
  /** The collections whose records may be logged with another visibility. */
  private readonly stale = new Set<string>();
  private readonly ports: LogPorts;

  constructor(state: LogState, ports: LogPorts) {
    this.state = state;
    this.ports = ports;
  }

  /** Writes the changes again that a killed writer had planned. */
  async finishPlanned(): Promise<void> {
    const { log } = this.ports;
    const planned = await log.planned();
    if (planned === undefined || planned.lastKey <= (this.state.key ?? "")) return;
    await log.write(planned);
    await this.save({ key: planned.lastKey, asOf: datestampOf(planned.lastKey) });
  }

  /**
   * Reads which collections searches hide. A collection that differs from the log is noted before anything is logged, so
   * that all of its records are logged again even if the writer is killed, or the collection changes back.
   */
  async readHidden(): Promise<void> {
    const { items, log } = this.ports;
    this.hidden = new Set(await items.hiddenCollections());
    const known = await log.hiddenCollections();
    for (const id of new Set([...this.hidden, ...known.keys()])) {
      if (this.hidden.has(id) ? known.get(id) === true : !known.has(id)) continue;
      if (known.get(id) !== false) await log.setHidden(id, false);
      this.stale.add(id);
    }
    const { walk } = this.state;
    if (walk && this.hidden.has(walk.collectionId) !== walk.isHidden) await this.save({ walk: undefined });
  }

  /** Logs some changes. @returns whether there was something to do */
  async logSome(): Promise<boolean> {
    const { items } = this.ports;
    const marks = await items.marks();
    if (marks.length === 0) return this.walkCollection();
    const marked = new Map<string, { itemId: string; sourceId?: string }>();
    for (const { itemId, sourceId } of marks) {
      if (sourceId !== undefined || !marked.has(itemId)) {
        marked.set(itemId, { itemId, ...(sourceId !== undefined && { sourceId }) });
      }
    }
    await this.log([...marked.values()]);
    await items.clear(marks);
    return true;
  }

  /** States that later changes are later than now, from which readers may begin their next list. */
  async markTime(): Promise<void> {
    const asOf = this.now();
    if (Date.parse(asOf) - Date.parse(this.state.asOf) >= leastMarkMs) await this.save({ asOf });
  }

  private async log(logged: readonly { itemId: string; sourceId?: string }[]): Promise<void> {
    const { log, items } = this.ports;
    const stored = await items.read(logged);
    const states = new Map(
      logged.map(({ itemId }) => [itemId, itemStateOf(itemId, stored.get(itemId) ?? {}, this.hidden)]),
    );
    const datestamp = this.now();
    const planned = await planChanges(states, { seen: this.state.key, datestamp }, log);
    if (planned === undefined) return;
    if (!(await log.plan(planned, this.state.key))) throw takenOver();
    await log.write(planned);
    await this.save({ key: planned.lastKey, asOf: datestamp });
    this.logged += planned.versions.length;
  }

  /** Logs the records of a collection that searches began to hide or to show. */
  private async walkCollection(): Promise<boolean> {
    const { log } = this.ports;
    const walk = this.state.walk ?? this.nextWalk();
    if (walk === undefined) return false;
    const { collectionId, isHidden, after, until } = walk;
    const list = setSpecOf("collection", collectionId);
    const { entries, isEnd } = await log.entries(list, { from: after, until }, walkSize);
    await this.log(entries.filter(({ next }) => next === undefined).map(({ itemId }) => ({ itemId })));
    const last = entries.at(-1);
    if (!isEnd && last !== undefined) {
      await this.save({ walk: { ...walk, after: `${last.key}0` } });
      return true;
    }
    await log.setHidden(collectionId, isHidden ? true : undefined);
    this.stale.delete(collectionId);
    await this.save({ walk: undefined });
    return true;
  }

  private nextWalk(): LogState["walk"] {
    const [collectionId] = this.stale;
    if (collectionId === undefined) return undefined;
    return {
      collectionId,
      isHidden: this.hidden.has(collectionId),
      after: keyRange({}).from,
      until: this.state.key ?? "",
    };
  }

  /** The time in seconds, but never before an earlier one: the clocks of two writers may differ. */
  private now(): string {
    const now = inSeconds(this.ports.clock.now());
    return now > this.state.asOf ? now : this.state.asOf;
  }

  private async save(
    change: Omit<Partial<LogState>, "walk"> & { walk?: LogState["walk"] | undefined },
  ): Promise<void> {
    const { walk, ...rest } = { ...this.state, ...change, revision: this.state.revision + 1 };
    const next: LogState = walk === undefined ? rest : { ...rest, walk };
    if (!(await this.ports.log.saveState(next))) throw takenOver();
    this.state = next;
  }
}

function takenOver(): PlatformError {
  return new PlatformError("another writer has taken over the change log");
}
