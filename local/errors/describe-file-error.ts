/** The meanings of file system error codes, as continuations of a sentence about the file. */
const meanings: Readonly<Record<string, string>> = {
  EACCES: "may not be read or written by this user",
  EBUSY: "is in use",
  EEXIST: "exists already",
  EISDIR: "is a folder, not a file",
  ELOOP: "is a symbolic link that leads to itself",
  EMFILE: "cannot be opened, because this process has too many files open",
  ENAMETOOLONG: "has a name that is too long",
  ENOENT: "does not exist",
  ENOSPC: "cannot be written, because the disk is full",
  ENOTDIR: "cannot be reached, because a part of its path is not a folder",
  EPERM: "may not be read or written by this user",
  EROFS: "cannot be written, because the file system is read-only",
};

/** Describes why a file cannot be read or written. */
export function describeFileError(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return meanings[code] ?? (error instanceof Error ? error.message : String(error));
}
