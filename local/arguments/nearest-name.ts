/** The maximum length of a name that may be a typo. */
const maxLength = 40;

/**
 * Returns the known name that is most similar to a mistyped name. At most a third of the characters may
 * differ.
 * @returns undefined if no name is similar enough
 */
export function nearestName(typed: string, known: Iterable<string>): string | undefined {
  if (typed.length > maxLength) return undefined;
  let nearest: string | undefined;
  let least = Math.max(1, Math.floor(typed.length / 3)) + 1;
  for (const name of known) {
    const distance = editDistance(typed.toLowerCase(), name);
    if (distance < least) {
      least = distance;
      nearest = name;
    }
  }
  return nearest;
}

/** Returns a question to append to a message about an unknown name; empty if no name is similar. */
export function suggestionFor(typed: string, known: Iterable<string>): string {
  const nearest = nearestName(typed, known);
  return nearest === undefined ? "" : `; did you mean ${nearest}?`;
}

/** Returns the number of characters to insert, delete, replace or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const least = Math.min(
        (previous[j] as number) + 1,
        (current[j - 1] as number) + 1,
        (previous[j - 1] as number) + (isSame ? 0 : 1),
      );
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      current[j] = isSwap ? Math.min(least, (before[j - 2] as number) + 1) : least;
    }
    before = previous;
    previous = current;
  }
  return previous[b.length] as number;
}
