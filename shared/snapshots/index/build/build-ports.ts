import type { InputFile } from "./index-plan.ts";

/** The files that a build writes. */
export interface WrittenFiles {
  /** Reads a file. @returns undefined if it does not exist */
  read(name: string): Promise<Uint8Array | undefined>;
  /** Fills the target with the bytes of a file from `offset` on. */
  readInto(name: string, offset: number, target: Uint8Array): Promise<void>;
  /** Writes a file atomically. */
  write(name: string, content: Iterable<Uint8Array>): Promise<void>;
}

/** The files that a build reads and writes: on disk, or in a bucket. */
export interface BuildPorts {
  /**
   * Yields the bytes of a file as stored, from an offset on. A chunk is valid until the next one is
   * requested.
   */
  input(file: InputFile, start: number): AsyncIterable<Uint8Array>;
  /** The working files of the build, which are kept until the index is complete. */
  work: WrittenFiles;
  index: WrittenFiles;
}
