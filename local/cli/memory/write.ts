/** Does a write. A test may simulate that the process dies before or after the write. */
export type Write = <T>(work: () => T) => Promise<T>;

export const writeNow: Write = async (work) => work();
