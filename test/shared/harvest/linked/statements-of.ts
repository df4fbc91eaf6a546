import type { FileReading } from "../../../../shared/harvest/linked/linked-file.ts";
import type { StatedCreator, Statement } from "../../../../shared/harvest/page/statement.ts";

/** What each record states and is not empty; or why the file could not be read. */
export function statementsOf(reading: FileReading): Partial<Statement>[] | string {
  if (reading.type === "unreadable") return reading.detail;
  return reading.records.map((record) =>
    Object.fromEntries(
      Object.entries(record).filter(([, value]) => value !== undefined && value.length !== 0),
    ),
  );
}

export function person(firstName: string, lastName: string, creatorType = "author"): StatedCreator {
  return { creatorType, firstName, lastName };
}
