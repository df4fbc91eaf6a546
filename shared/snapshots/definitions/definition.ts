import type { DefinitionInput } from "./definition-input.ts";
import type { IndexStatus } from "./index-status.ts";

/** A harvest of web sites, as an operator defines it. Its domains are among its seeds. */
export interface HarvestDefinition extends Omit<DefinitionInput, "domains" | "seeds"> {
  id: string;
  seeds: readonly string[];
  isActive: boolean;
  createdAt: Date;
  /** Counts the activations. Messages about an index of another generation are outdated. */
  generation: number;
  /** Absent while the definition is not active, unless it was deactivated because its index has failed or expired. */
  index?: IndexStatus;
  /** The jobs that were made of it. */
  jobIds: readonly number[];
  /** When the last of its jobs had ended. */
  endedAt?: Date;
  /** Why it is in its state, for operators. */
  comment?: string;
  /** What has happened to it last, the newest last; earlier events are in the store. */
  history: readonly DefinitionEvent[];
}

/** Bounds of a harvest; it ends when the first one is reached. */
export type HarvestLimits = HarvestDefinition["limits"];

/** A definition as lists have it: seeds are read one definition at a time. */
export type DefinitionSummary = Omit<HarvestDefinition, "seeds">;

export interface DefinitionEvent {
  at: Date;
  what: string;
}

/** Events that are shown of a definition. */
export const shownEvents = 100;

/** The length of what an event says: the reason of an error may be long. */
const maxEventCharacters = 2000;

/** The definition with another entry in its history. */
export function withEvent<Definition extends DefinitionSummary>(
  definition: Definition,
  at: Date,
  what: string,
): Definition {
  const event = { at, what: what.slice(0, maxEventCharacters) };
  return { ...definition, history: [...definition.history, event].slice(-shownEvents) };
}

/** The definition with events that are kept apart from it; those that it holds itself are taken once. */
export function withEarlierEvents(
  definition: HarvestDefinition,
  earlier: readonly DefinitionEvent[],
): HarvestDefinition {
  const nameOf = ({ at, what }: DefinitionEvent) => `${at.toISOString()} ${what}`;
  const held = new Set(definition.history.map(nameOf));
  const others = earlier.filter((event) => !held.has(nameOf(event)));
  return { ...definition, history: [...others, ...definition.history].slice(-shownEvents) };
}

/** Whether jobs of a definition may begin: it is active, and what it deduplicates against is ready. */
export function mayCapture({ isActive, type, index }: DefinitionSummary): boolean {
  if (!isActive) return false;
  return type === "selective" || index?.state === "ready" || index?.state === "ready-partial";
}

/** Whether jobs may be made of a definition: they may begin, and it has not run. */
export function mayStart(definition: DefinitionSummary): boolean {
  return mayCapture(definition) && definition.jobIds.length === 0;
}
