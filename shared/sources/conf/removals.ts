import type { ConfigurationItem } from "../configuration.ts";
import type { ConfigurationChange } from "./configuration-changes.ts";
import { findOperatorSettings } from "./operator-settings.ts";

/** How many sources an import may remove unasked: so many, or so large a part of those that imports have brought. */
const maxRemovedSources = 5;
const maxRemovedShare = 0.1;

/** Of what is removed: named one by one. */
const maxNamed = 20;

/** A warning for what is removed together with what operators have set: it is lost, also when the item comes back. */
export function warningsOfRemovals(changes: ConfigurationChange[]): string[] {
  const losses = removedIn(changes).flatMap((item) => {
    const set = findOperatorSettings(item);
    return set.length === 0
      ? []
      : [`${nameOf(item)} is removed with what operators have set: ${set.join(", ")}`];
  });
  const more = losses.length - maxNamed;
  const rest = more > 0 ? [`${more} more are removed with what operators have set`] : [];
  return [...losses.slice(0, maxNamed), ...rest];
}

/**
 * Why so much is removed only where it is asked for: a file that was cut off looks like one that has lost its journals.
 * @param stored what there is before the import
 */
export function removalProblems(changes: ConfigurationChange[], stored: ConfigurationItem[]): string[] {
  const removed = removedIn(changes);
  const sources = removed.filter(({ kind }) => kind === "source");
  const imported = stored.filter(({ kind, version }) => kind === "source" && version !== undefined).length;
  const isMuch = sources.length > maxRemovedSources && sources.length > imported * maxRemovedShare;
  const receiving = removed.filter((item) => item.kind === "group" && receiverOf(item) !== undefined);
  return [
    ...(isMuch
      ? [`the file takes ${sources.length} of ${imported} sources away (${namesOf(sources)}): is it whole?`]
      : []),
    ...receiving.map(
      (item) =>
        `the file takes ${nameOf(item)} away, and where its files go (${receiverOf(item)}): is it meant?`,
    ),
  ].map(
    (problem) => `${problem} Such removals have to be asked for: --allow-removals, or allowRemovals=true`,
  );
}

function removedIn(changes: ConfigurationChange[]): ConfigurationItem[] {
  return changes.filter(({ type }) => type === "removed").map(({ item }) => item);
}

function namesOf(items: ConfigurationItem[]): string {
  const named = items.slice(0, maxNamed).map(({ id }) => id);
  return named.join(", ") + (items.length > maxNamed ? " …" : "");
}

function nameOf({ kind, id, value }: ConfigurationItem): string {
  return typeof value.title === "string" ? `${kind} ${id} (${value.title})` : `${kind} ${id}`;
}

/** Of a group that may not be valid; undefined when its files stay in the bucket. */
function receiverOf({ value }: ConfigurationItem): string | undefined {
  const { host } = (value.destination ?? {}) as { host?: unknown };
  return host === undefined ? undefined : String(host);
}
