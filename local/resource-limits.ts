/** A limit of this machine: its name, its meaning, and a remedy. */
interface Limit {
  readonly name: string;
  readonly matches: RegExp;
  readonly meaning: string;
  readonly remedy: string;
}

/**
 * Errors of the machine, by their code or by SQLite's message. In these cases the state is intact, so
 * deleting it would not help.
 * @see https://man7.org/linux/man-pages/man3/errno.3.html
 * @see https://www.sqlite.org/rescode.html
 */
const limits: readonly Limit[] = [
  {
    name: "ENOSPC",
    matches: /\bENOSPC\b|database or disk is full/,
    meaning: "the disk is full",
    remedy: "free some space on the disk",
  },
  {
    name: "EDQUOT",
    matches: /\bEDQUOT\b/,
    meaning: "the disk quota of this user is used up",
    remedy: "free some space on the disk",
  },
  {
    name: "EMFILE",
    matches: /\bEMFILE\b|too many open files(?! in system)/,
    meaning: "this process has too many files open",
    remedy: "raise its limit of open files (ulimit -n)",
  },
  {
    name: "ENFILE",
    matches: /\bENFILE\b/,
    meaning: "this machine has too many files open",
    remedy: "close other programs, or raise fs.file-max",
  },
  {
    name: "ENOMEM",
    matches: /\bENOMEM\b|\bout of memory\b/,
    meaning: "there is not enough memory",
    remedy: "close other programs, or give this one more memory",
  },
  {
    name: "EAGAIN",
    matches: /\bERR_WORKER_INIT_FAILED\b/,
    meaning: "no further thread can be started",
    remedy: "raise the limit of processes and threads (ulimit -u, or the limit of the container)",
  },
  {
    name: "no permission",
    matches: /\b(EACCES|EPERM|EROFS)\b|readonly database/,
    meaning: "this user may not write there",
    remedy: "let this user write to the folder",
  },
];

/** Returns the limit of the machine that an error is about; `undefined` for any other error. */
export function limitOf(error: unknown): Limit | undefined {
  const { code = "", message = String(error) } = error as NodeJS.ErrnoException;
  return limits.find(({ matches }) => matches.test(`${code} ${message}`));
}
