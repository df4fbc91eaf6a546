import type { ConfigurationItem } from "../configuration.ts";
import type { IniProblem } from "./ini.ts";

/** The section of a journal that is not imported because of its problems. */
export interface UnusableSection {
  /** Empty when the header of the section cannot be read. */
  title: string;
  /** The line of the section's header. */
  line: number;
  /** The id according to the section, which may be wrong or incomplete. */
  sourceId: string;
  problems: IniProblem[];
}

/** Returns the ids of the stored sources to which a section belongs, by its id or its title. */
export function storedSourcesOf({ sourceId, title }: UnusableSection, stored: ConfigurationItem[]): string[] {
  return stored
    .filter(({ kind, id, value }) => kind === "source" && (id === sourceId || value.title === title))
    .map(({ id }) => id);
}
