/** Disk errors by their code or SQLite's message. The state is intact; deleting it would not help. */
const diskProblems: [RegExp, string][] = [
  [/\b(ENOSPC|EDQUOT)\b|database or disk is full/, "free some space on the disk"],
  [/\b(EACCES|EPERM|EROFS)\b|readonly database/, "let this user write to the folder"],
];

/** Says why the state cannot be used, what to do, and what that costs. */
export function adviseOnState(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  const { code = "" } = error as NodeJS.ErrnoException;
  const advice = diskProblems.find(([pattern]) => pattern.test(`${code} ${reason}`))?.[1];
  return `${reason}. ${advice === undefined ? damagedAdvice : `To go on, ${advice}; the state stays as it is.`}`;
}

/** For a state that does not open, or that makes each start fail. */
export const damagedAdvice =
  "If this happens at each start, the state is damaged. Restore the folder from a copy, or delete it, but then " +
  "Ingather delivers everything again.";
