import type { InputFile } from "./index-plan.ts";

/** Files that a build writes. */
export interface WrittenFiles {
  /** Undefined when there is no such file. */
  read(name: string): Promise<Uint8Array | undefined>;
  /** Fills the target with the bytes from `offset` on. */
  readInto(name: string, offset: number, target: Uint8Array): Promise<void>;
  /** Writes a file, whole or not at all. */
  write(name: string, content: Iterable<Uint8Array>): Promise<void>;
}

/** Where a build reads and writes: on disk, or in a bucket. */
export interface BuildPorts {
  /** The bytes of a file as they are stored, from a place on. A chunk is valid until the next one is asked for. */
  input(file: InputFile, start: number): AsyncIterable<Uint8Array>;
  /** What the build keeps for itself, until the index is whole. */
  work: WrittenFiles;
  index: WrittenFiles;
}
