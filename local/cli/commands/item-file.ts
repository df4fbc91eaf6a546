import { InputError } from "../../../shared/core/errors.ts";
import { BrokenList, splitJsonList } from "../../../shared/core/json-list.ts";
import { readUtf8 } from "../../../shared/core/utf8-lines.ts";
import { describeJsonError } from "../../errors/describe-json-error.ts";
import type { InputFile } from "./open-input.ts";

interface FileItem {
  /** The bytes of the item in the file. */
  bytes: Uint8Array;
  /** Undefined when it cannot be read. */
  item: unknown;
  /** The reason why it cannot be read. */
  problem?: string;
}

/** An item and the notes after it, which belong to it. */
export interface ItemGroup {
  /** The position of the item in the file, from 0. */
  position: number;
  items: FileItem[];
}

/** The maximum size of an item. The largest items have a few hundred kilobytes of references. */
const maxItemBytes = 64 * 1024 * 1024;

/**
 * Reads the items of a JSON list, with one item and its notes in memory.
 * @throws InputError, with the argument as its field, when the list cannot be read further
 */
export async function* readItemGroups(
  argument: string,
  name: string,
  { chunks }: InputFile,
): AsyncGenerator<ItemGroup> {
  let position = 0;
  let group: ItemGroup | undefined;
  try {
    for await (const { bytes, line } of splitJsonList(chunks, { maxBytes: maxItemBytes })) {
      const read = { bytes, ...parseItem(bytes, line) };
      if (group !== undefined && isNote(read)) group.items.push(read);
      else {
        if (group !== undefined) yield group;
        group = { position, items: [read] };
      }
      position += 1;
    }
  } catch (error) {
    if (!(error instanceof BrokenList)) throw error;
    if (group !== undefined) yield group;
    throw new InputError(argument, name, error.message);
  }
  if (group !== undefined) yield group;
}

function parseItem(bytes: Uint8Array, line: number): Omit<FileItem, "bytes"> {
  const reading = readUtf8(bytes);
  if (reading.type === "not-utf8")
    return { item: undefined, problem: `line ${line + reading.line - 1} is not UTF-8` };
  try {
    return { item: JSON.parse(reading.text) };
  } catch (error) {
    return { item: undefined, problem: `line ${line}: ${describeJsonError(error, reading.text)}` };
  }
}

function isNote({ item }: FileItem): boolean {
  return typeof item === "object" && item !== null && "itemType" in item && item.itemType === "note";
}
