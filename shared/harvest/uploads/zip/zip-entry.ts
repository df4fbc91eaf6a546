import type { Entry } from "yauzl";
import { collisionKey, readEntryName } from "./entry-name.ts";

/** What an archive may have at most. */
export interface ZipLimits {
  entries: number;
  /** The size of one unpacked entry. */
  entryBytes: number;
  /** The size of all unpacked entries together. */
  totalBytes: number;
  /**
   * Unpacked to packed bytes, of an entry that unpacks to more than `ratioFromBytes`. Text has 3 to 20, a bomb 1,000.
   */
  ratio: number;
  ratioFromBytes: number;
}

export const defaultZipLimits: ZipLimits = {
  entries: 10_000,
  entryBytes: 2 * 1000 ** 3,
  totalBytes: 10 * 1000 ** 3,
  ratio: 200,
  ratioFromBytes: 1_000_000,
};

/** An entry that an archive's directory has, by its own word: what it says is checked when it is unpacked. */
export type ZipEntry =
  | { type: "file"; name: string; sizeBytes: number; entry: Entry }
  | { type: "refused"; name: string; reason: string };

const localHeaderBytes = 30;
const methods = { stored: 0, deflated: 8 };
const fileKinds = { mask: 0o170000, regular: 0o100000, folder: 0o040000, symlink: 0o120000 };

/** Archives, by their extensions. An EPUB or a DOCX is a file, although it is a zip. */
const archiveName = /\.(zip|zipx|tar|tgz|gz|bz2|tbz2?|xz|txz|zst|7z|rar|jar|war|cab|iso|lzh|arj|wacz)$/i;

/**
 * Judges the entries of a directory one after the other: folders are left out, and what cannot be unpacked safely is
 * refused with its reason. The first of two entries with one name counts.
 */
export class EntryJudge {
  private readonly limits: ZipLimits;
  private readonly names = new Set<string>();
  /** Packed bytes of the entries so far: where each begins and ends in the archive. */
  private readonly places: { start: number; end: number }[] = [];
  private totalBytes = 0;

  constructor(limits: ZipLimits) {
    this.limits = limits;
  }

  /** @returns undefined for a folder */
  judge(entry: Entry): ZipEntry | undefined {
    const read = readEntryName(entry);
    if (read.type === "refused") return read;
    const { name } = read;
    const reason = entryProblem(entry, name) ?? this.sizeProblem(entry) ?? this.placeProblem(entry, name);
    if (reason !== undefined) return { type: "refused", name, reason };
    if (name.endsWith("/")) return undefined;
    this.totalBytes += entry.uncompressedSize;
    return { type: "file", name, sizeBytes: entry.uncompressedSize, entry };
  }

  private sizeProblem({ uncompressedSize, compressedSize }: Entry): string | undefined {
    const { entryBytes, totalBytes, ratio, ratioFromBytes } = this.limits;
    if (uncompressedSize > entryBytes) return `it unpacks to more than ${entryBytes} bytes`;
    if (uncompressedSize > ratioFromBytes && uncompressedSize > ratio * compressedSize) {
      return `it unpacks to more than ${ratio} times its packed size`;
    }
    if (this.totalBytes + uncompressedSize > totalBytes) {
      return `with it, the archive unpacks to more than ${totalBytes} bytes`;
    }
    return undefined;
  }

  /** Entries that share packed bytes are how a small archive unpacks to terabytes. */
  private placeProblem(
    { relativeOffsetOfLocalHeader: start, fileNameLength, compressedSize }: Entry,
    name: string,
  ): string | undefined {
    const key = collisionKey(name.replace(/\/$/, ""));
    if (this.names.has(key)) return "an earlier entry has the same name, but for case";
    const end = start + localHeaderBytes + fileNameLength + compressedSize;
    // Archives list their entries in their order: the last place is looked at first.
    if (this.places.findLast((other) => start < other.end && other.start < end) !== undefined) {
      return "it shares bytes with another entry";
    }
    this.names.add(key);
    this.places.push({ start, end });
    return undefined;
  }
}

function entryProblem(entry: Entry, name: string): string | undefined {
  const { compressionMethod, externalFileAttributes, uncompressedSize } = entry;
  const kind = (externalFileAttributes >>> 16) & fileKinds.mask;
  if (kind === fileKinds.symlink) return "it is a symbolic link";
  if (kind !== 0 && kind !== fileKinds.regular && kind !== fileKinds.folder)
    return "it is not a regular file";
  if (entry.isEncrypted()) return "it is encrypted";
  if (compressionMethod !== methods.stored && compressionMethod !== methods.deflated) {
    return `it is packed by method ${compressionMethod}; only stored and deflated entries are read`;
  }
  const isFolder = name.endsWith("/");
  if (isFolder !== (kind === fileKinds.folder) && kind !== 0)
    return "its name and its kind contradict each other";
  if (isFolder && uncompressedSize > 0) return "it is a folder with content";
  return archiveName.test(name) ? "it is a nested archive" : undefined;
}
