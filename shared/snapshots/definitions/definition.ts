import type { DefinitionInput } from "./definition-input.ts";
import type { IndexStatus } from "./index-status.ts";

/** A harvest of web sites, as an operator defines it. Its domains are among its seeds. */
export interface HarvestDefinition extends Omit<DefinitionInput, "domains" | "seeds"> {
  id: string;
  seeds: readonly string[];
  isActive: boolean;
  createdAt: Date;
  /** The number of activations. Messages about an index of another generation are outdated. */
  generation: number;
  /**
   * The index. Absent while the definition is inactive, unless it was deactivated because its index failed or
   * expired.
   */
  index?: IndexStatus;
  /** The jobs that were created from the definition. */
  jobIds: readonly number[];
  /** When the last of its jobs ended. */
  endedAt?: Date;
  /** Why the definition is in its state, for operators. */
  comment?: string;
  /** The latest events, newest last. Earlier events are only in the store. */
  history: readonly DefinitionEvent[];
}

/** The limits of a harvest. The harvest ends when it reaches one of them. */
export type HarvestLimits = HarvestDefinition["limits"];

/** A definition without its seeds, which are read one definition at a time. */
export type DefinitionSummary = Omit<HarvestDefinition, "seeds">;

export interface DefinitionEvent {
  at: Date;
  what: string;
}

/** The maximum number of events that are shown of a definition. */
export const shownEvents = 100;

/** The maximum length of an event's text, because the reason of an error may be long. */
const maxEventCharacters = 2000;

/** Returns the definition with another event in its history. */
export function withEvent<Definition extends DefinitionSummary>(
  definition: Definition,
  at: Date,
  what: string,
): Definition {
  const event = { at, what: what.slice(0, maxEventCharacters) };
  return { ...definition, history: [...definition.history, event].slice(-shownEvents) };
}

/** Returns the definition with earlier events from the store. Events that are in both occur once. */
export function withEarlierEvents(
  definition: HarvestDefinition,
  earlier: readonly DefinitionEvent[],
): HarvestDefinition {
  const nameOf = ({ at, what }: DefinitionEvent) => `${at.toISOString()} ${what}`;
  const held = new Set(definition.history.map(nameOf));
  const others = earlier.filter((event) => !held.has(nameOf(event)));
  return { ...definition, history: [...others, ...definition.history].slice(-shownEvents) };
}

/**
 * Returns whether jobs of a definition may begin: it is active, and its deduplication index is ready or not
 * needed.
 */
export function mayCapture({ isActive, type, index }: DefinitionSummary): boolean {
  if (!isActive) return false;
  return type === "selective" || index?.state === "ready" || index?.state === "ready-partial";
}

/** Returns whether jobs may be created from a definition: they may begin, and the definition has not run. */
export function mayStart(definition: DefinitionSummary): boolean {
  return mayCapture(definition) && definition.jobIds.length === 0;
}
