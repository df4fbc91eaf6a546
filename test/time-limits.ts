/**
 * The time after which a test counts as hung, in milliseconds. It does not measure speed, because machines
 * may be slow or busy.
 */
export const hangMs = 300_000;

/** The time limit for waits within a test, whose messages then say what was awaited. */
export const waitMs = hangMs / 2;
