/** Does a write. A test may let the process die before it, or when it is done. */
export type Write = <T>(work: () => T) => Promise<T>;

export const writeNow: Write = async (work) => work();
