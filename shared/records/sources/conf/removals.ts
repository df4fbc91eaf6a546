import type { ConfigurationItem } from "../configuration.ts";
import type { ConfigurationChange } from "./configuration-changes.ts";
import { findOperatorSettings } from "./operator-settings.ts";
import { storedSourcesOf, type UnusableSection } from "./unusable-section.ts";

/**
 * The limits on removals without `allowRemovals`. An import is refused only when it removes more than this number of
 * sources, and also more than this share of the imported sources.
 */
const maxRemovedSources = 5;
const maxRemovedShare = 0.1;

/** The maximum number of removed items that a message names. */
const maxNamed = 20;

/**
 * Returns the changes without removals that may be due to unusable sections, and a warning that names the kept items. A
 * section may have lost its header or its id, so nothing is removed if the file contains an unusable section. With
 * `allowRemovals`, only the sources to which the unusable sections belong are kept, together with their groups.
 * @param of.stored the items before the import
 */
export function withholdRemovals(
  changes: ConfigurationChange[],
  of: { unusable: UnusableSection[]; stored: ConfigurationItem[]; allowRemovals: boolean },
): { changes: ConfigurationChange[]; warnings: string[] } {
  if (of.unusable.length === 0) return { changes, warnings: [] };
  const named = new Set(of.unusable.flatMap((section) => storedSourcesOf(section, of.stored)));
  const isNamed = ({ kind, id }: ConfigurationItem) => kind === "source" && named.has(id);
  const groups = new Set(of.stored.filter(isNamed).map(({ value }) => value.groupId));
  const isKept = (item: ConfigurationItem) =>
    !of.allowRemovals || isNamed(item) || (item.kind === "group" && groups.has(item.id));
  const kept = removedIn(changes).filter((item) => isKept(item) && !isNamed(item));
  const names = kept.slice(0, maxNamed).map(nameOf).join(", ") + (kept.length > maxNamed ? " …" : "");
  return {
    changes: changes.filter(({ type, item }) => type !== "removed" || !isKept(item)),
    warnings:
      kept.length === 0 ? [] : [`not removed, because a section of the file cannot be used: ${names}`],
  };
}

/**
 * Warns about removed items with fields that operators have set. These fields are lost even if the item is added again.
 */
export function warningsOfRemovals(changes: ConfigurationChange[]): string[] {
  const losses = removedIn(changes).flatMap((item) => {
    const set = findOperatorSettings(item);
    return set.length === 0
      ? []
      : [`${nameOf(item)} is removed with the settings of operators: ${set.join(", ")}`];
  });
  const more = losses.length - maxNamed;
  const rest = more > 0 ? [`${more} more are removed with the settings of operators`] : [];
  return [...losses.slice(0, maxNamed), ...rest];
}

/**
 * Returns the removals that need `allowRemovals`. Without this check, a truncated file would look like a file without
 * its last journals.
 * @param stored the items before the import
 */
export function removalProblems(changes: ConfigurationChange[], stored: ConfigurationItem[]): string[] {
  const removed = removedIn(changes);
  const sources = removed.filter(({ kind }) => kind === "source");
  const imported = stored.filter(({ kind, version }) => kind === "source" && version !== undefined).length;
  const isMuch = sources.length > maxRemovedSources && sources.length > imported * maxRemovedShare;
  const receiving = removed.filter((item) => item.kind === "group" && receiverOf(item) !== undefined);
  return [
    ...(isMuch
      ? [
          `the import would remove ${sources.length} of ${imported} sources (${namesOf(sources)}), as if the file were truncated`,
        ]
      : []),
    ...receiving.map(
      (item) =>
        `the import would remove ${nameOf(item)} with the receiver of its files (${receiverOf(item)})`,
    ),
  ].map((problem) => `${problem}. Use --allow-removals, or allowRemovals=true, if this is intended`);
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

/**
 * Returns the SFTP host of a group, even if the group is invalid.
 * @returns undefined when the group's files are delivered only to the bucket
 */
function receiverOf({ value }: ConfigurationItem): string | undefined {
  const { host } = (value.destination ?? {}) as { host?: unknown };
  return host === undefined ? undefined : String(host);
}
