/** Ranges up to this length are sorted by insertion. */
const fewPlaces = 12;

/**
 * Sorts a range of numbers, together with their keys at the same indexes. It uses three-way quicksort,
 * because many keys are equal.
 * @see https://sedgewick.io/wp-content/themes/sedgewick/papers/1997Quicksort.pdf
 */
export function sortByKey(
  keys: Float64Array,
  numbers: Int32Array,
  range: { start: number; end: number },
): void {
  let { start, end } = range;
  while (end - start > fewPlaces) {
    const [less, greater] = divide(keys, numbers, { start, end });
    // The larger part is sorted in this loop, so that recursion never becomes deep.
    if (less - start < end - greater) {
      sortByKey(keys, numbers, { start, end: less });
      start = greater;
    } else {
      sortByKey(keys, numbers, { start: greater, end });
      end = less;
    }
  }
  insert(keys, numbers, { start, end });
}

/**
 * Moves smaller keys to the front and greater keys to the back. @returns the start and the end of the equal
 * keys
 */
function divide(
  keys: Float64Array,
  numbers: Int32Array,
  { start, end }: { start: number; end: number },
): [number, number] {
  const pivot = median(keys[start] as number, keys[(start + end) >> 1] as number, keys[end - 1] as number);
  let [less, greater] = [start, end];
  for (let at = start; at < greater; ) {
    const key = keys[at] as number;
    if (key === pivot) {
      at += 1;
      continue;
    }
    const number = numbers[at] as number;
    const to = key < pivot ? less++ : --greater;
    keys[at] = keys[to] as number;
    numbers[at] = numbers[to] as number;
    keys[to] = key;
    numbers[to] = number;
    if (key < pivot) at += 1;
  }
  return [less, greater];
}

function median(one: number, other: number, third: number): number {
  return Math.max(Math.min(one, other), Math.min(Math.max(one, other), third));
}

function insert(
  keys: Float64Array,
  numbers: Int32Array,
  { start, end }: { start: number; end: number },
): void {
  for (let next = start + 1; next < end; next += 1) {
    const [key, number] = [keys[next] as number, numbers[next] as number];
    let at = next;
    for (; at > start && (keys[at - 1] as number) > key; at -= 1) {
      keys[at] = keys[at - 1] as number;
      numbers[at] = numbers[at - 1] as number;
    }
    keys[at] = key;
    numbers[at] = number;
  }
}
