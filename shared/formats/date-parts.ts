/** A part of a year that issues of journals are named after. */
export type Season = "spring" | "summer" | "autumn" | "winter" | `half-${1 | 2}` | `quarter-${1 | 2 | 3 | 4}`;

/** The parts of a date that a text states. */
export interface DateParts {
  year: number;
  /** The last year of a span, such as 2015 in `2014/2015`. */
  lastYear?: number | undefined;
  /** From 1 to 12. */
  month?: number | undefined;
  /** The last month of a span, such as 4 in `March-April 2014`. */
  lastMonth?: number | undefined;
  day?: number | undefined;
  season?: Season | undefined;
}
