/** After this, a test counts as hung. It is not a measure of speed: machines are slow, and do other things besides. */
export const hangMs = 300_000;

/** For waits within a test, which then say what they waited for. */
export const waitMs = hangMs / 2;
