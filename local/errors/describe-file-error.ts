/** What the codes of the file system mean, as continuations of a sentence about the file. */
const meanings: Readonly<Record<string, string>> = {
  EACCES: "may not be read or written by this user",
  EBUSY: "is in use",
  EEXIST: "exists already",
  EISDIR: "is a folder, not a file",
  ELOOP: "is a symbolic link that leads to itself",
  EMFILE: "cannot be opened: this process has too many files open",
  ENAMETOOLONG: "has too long a name",
  ENOENT: "does not exist",
  ENOSPC: "cannot be written: the disk is full",
  ENOTDIR: "cannot be reached: a part of its path is not a folder",
  EPERM: "may not be read or written by this user",
  EROFS: "cannot be written: the file system is read-only",
};

/** Says in words why a file cannot be read or written. */
export function describeFileError(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return meanings[code] ?? (error instanceof Error ? error.message : String(error));
}
