import type { ConfigurationItem } from "../configuration.ts";
import type { IniProblem } from "./ini.ts";

/** The section of a journal that is not imported because of its problems. */
export interface UnusableSection {
  /** Empty when its header cannot be read. */
  title: string;
  /** The line of its header. */
  line: number;
  /** As the section has it: it may be wrong or incomplete. */
  sourceId: string;
  problems: IniProblem[];
}

/** The ids of the stored sources that a section is about, by its id or its title. */
export function storedSourcesOf({ sourceId, title }: UnusableSection, stored: ConfigurationItem[]): string[] {
  return stored
    .filter(({ kind, id, value }) => kind === "source" && (id === sourceId || value.title === title))
    .map(({ id }) => id);
}
