/** The time from the start of one sweep of all collections to the start of the next. */
export const sweepIntervalHours = 2;
