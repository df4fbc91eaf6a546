import { type ListFiles, listFileNames } from "../list-files.ts";

type List = keyof ListFiles;

/** The effect on records when a list is missing. */
export const effectWithoutList: Readonly<Record<List, string>> = {
  nameBlacklist: "words that are not part of a name stay in names",
  genreKeywords: "every keyword goes to 650, none to 655",
  licences: "a journal without a licence gets the licence of its items, or ZZ",
};

/** The folder in which the lists were searched. Absent when they were given one by one. */
export interface ListFolder {
  path: string;
  exists: boolean;
}

/**
 * Warns about each list that is neither given nor stored, or that is missing from its folder, because records differ
 * without the list. If the folder itself is missing, there is only one warning.
 */
export function warningsOfMissingLists(
  files: ListFiles,
  {
    place,
    stored = {},
  }: { place?: ListFolder | undefined; stored?: Readonly<Partial<Record<List, unknown>>> },
): string[] {
  const missing = (Object.keys(listFileNames) as List[]).filter((list) => files[list] === undefined);
  if (place?.exists === false && missing.length > 0) {
    const effects = missing.map((list) =>
      Object.keys(stored[list] ?? {}).length > 0
        ? `the stored ${listFileNames[list]} is kept`
        : effectWithoutList[list],
    );
    return [
      `enhancement_maps_directory: there is no folder ${JSON.stringify(place.path)}: ${effects.join("; ")}`,
    ];
  }
  return missing.flatMap((list) => {
    const name = listFileNames[list];
    const isStored = Object.keys(stored[list] ?? {}).length > 0;
    if (place === undefined && isStored) return [];
    const effect = isStored ? "the stored list is kept" : effectWithoutList[list];
    return [`enhancement_maps_directory: ${describeMissing(name, place)}: ${effect}`];
  });
}

/** Warns about each empty list that removes the stored list. */
export function warningsOfEmptiedLists(
  files: ListFiles,
  {
    given,
    stored,
  }: { given: Readonly<Record<List, object>>; stored: Readonly<Partial<Record<List, unknown>>> },
): string[] {
  return (Object.keys(listFileNames) as List[]).flatMap((list) => {
    const removed = Object.keys(stored[list] ?? {}).length;
    if (files[list] === undefined || removed === 0 || Object.keys(given[list]).length > 0) return [];
    const name = listFileNames[list];
    const entries = removed === 1 ? "the stored entry" : `the ${removed} stored entries`;
    return [
      `enhancement_maps_directory: ${name} is empty, which removes ${entries}: ${effectWithoutList[list]}`,
    ];
  });
}

function describeMissing(name: string, place: ListFolder | undefined): string {
  if (place === undefined) return `${name} is not given, and none is stored`;
  return `the folder ${JSON.stringify(place.path)} has no ${name}`;
}
