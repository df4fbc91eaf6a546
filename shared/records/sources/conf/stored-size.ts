import { listFileNames } from "../list-files.ts";

/**
 * The maximum size of an item of the configuration, in bytes. DynamoDB stores 409,600 bytes. The difference is reserved
 * for the fields that operators set, and for the version that contains the item's earlier state.
 */
const maxItemBytes = 390_000;

/**
 * Returns the size of a value in DynamoDB, in bytes, without its name.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
function storedBytes(value: unknown): number {
  if (value === undefined) return 0;
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value === "number") return numberBytes;
  if (typeof value !== "object" || value === null) return 1;
  const entries = Array.isArray(value) ? value.map((one) => ["", one] as const) : Object.entries(value);
  return entries.reduce(
    (sum, [name, one]) => sum + entryBytes + Buffer.byteLength(name) + storedBytes(one),
    containerBytes,
  );
}

/** The maximum size of a number, with 38 digits. */
const numberBytes = 21;
const containerBytes = 3;
const entryBytes = 1;

/**
 * Returns why an item is too large to be stored, with its largest parts.
 * @returns undefined when it fits
 */
export function sizeProblem(value: object): string | undefined {
  const size = storedBytes(value);
  if (size <= maxItemBytes) return undefined;
  const parts = Object.entries(value)
    .map(([name, part]) => ({ name, bytes: storedBytes(part) }))
    .filter(({ bytes }) => bytes > size / 10)
    .toSorted((a, b) => b.bytes - a.bytes);
  const shares = parts.map(({ name, bytes }) => `${fileNames.get(name) ?? name} ${inKb(bytes)}`).join(", ");
  return `has ${inKb(size)}, more than the ${inKb(maxItemBytes)} that can be stored: ${shares}`;
}

/** The names under which messages list the parts. Lists are named by their files. */
const fileNames: ReadonlyMap<string, string> = new Map(Object.entries(listFileNames));

function inKb(bytes: number): string {
  return `${Math.ceil(bytes / 1000)} kB`;
}
