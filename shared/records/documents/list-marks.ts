import type { Document } from "./document.ts";

/** A page of a list: the page that has named a document tells later pages that they repeat it. */
export interface PagePlace {
  /** The digest of the list of one harvest and, if it reads several sets, of one set. */
  list: string;
  /** The slice of the list, and which attempt at it this is. */
  slice: number;
  attempt: string;
  /** The number of the request in its harvest. */
  place: number;
}

/** The marks that lists leave on a document. */
export type ListMarks = Pick<Document, "listedIn" | "listedOn" | "askedIn">;

/** Returns the marks of a document after a page has named it. A repetition leaves the mark of the first page. */
export function marksOf(
  known: ListMarks | undefined,
  { harvestId, page }: { harvestId?: string; page?: PagePlace },
): ListMarks {
  const listedIn = harvestId ?? known?.listedIn;
  const isFirst = page !== undefined && !isRepetition(known, page);
  const listedOn = isFirst ? formatPlace(page) : known?.listedOn;
  return {
    ...(listedIn !== undefined && { listedIn }),
    ...(listedOn !== undefined && { listedOn }),
    ...(known?.askedIn !== undefined && { askedIn: known.askedIn }),
  };
}

/**
 * Decides whether an earlier page of the same list has named a document. A page that is read twice repeats nothing, nor
 * does a slice that is read again from its beginning.
 */
export function isRepetition(known: ListMarks | undefined, page: PagePlace): boolean {
  const [list, slice, attempt, place] = (known?.listedOn ?? "").split(" ");
  const isOfEarlierAttempt = slice === String(page.slice) && attempt !== page.attempt;
  return list === page.list && place !== String(page.place) && !isOfEarlierAttempt;
}

/** Short, because it is part of each document. */
function formatPlace({ list, slice, attempt, place }: PagePlace): string {
  return [list, slice, attempt, place].join(" ");
}
