import { formatValue } from "../../../core/errors.ts";
import type { IniEntry, IniProblem, IniSection } from "./ini.ts";

interface ReaderOptions {
  /** The list to which warnings are added. */
  warnings: string[];
  /** Whether an entry that would otherwise be skipped is refused. */
  isStrict: boolean;
}

/** Reads the entries of one section. Problems are collected, so that all are reported at once. */
export class SectionReader {
  readonly name: string;
  readonly entries: ReadonlyMap<string, IniEntry>;
  /** The line of the section's header. */
  readonly line: number;
  /** The problems of the section's lines, followed by those that `refuse` adds. */
  readonly problems: IniProblem[];
  private readonly options: ReaderOptions;
  /** Whether a problem was added. */
  isRefused = false;

  constructor(section: IniSection, options: ReaderOptions) {
    this.name = section.name;
    this.entries = section.entries;
    this.line = section.line;
    this.problems = [...section.problems];
    this.options = options;
  }

  /** Returns the value of a key. An empty value in quotes counts as absent, as in the Zotero Harvester. */
  text(key: string): string | undefined {
    return this.entries.get(key)?.value || undefined;
  }

  /** Returns whether a key exists. If it is missing, adds a problem. */
  require(key: string): boolean {
    if (this.text(key) !== undefined) return true;
    this.refuse(key, `can't find "${key}" in section "${this.name}"!`);
    return false;
  }

  boolean(key: string): boolean | undefined {
    const value = this.text(key);
    if (value === undefined) return undefined;
    const truth = booleanValues.get(value.toLowerCase());
    if (truth === undefined)
      this.refuse(
        key,
        `invalid boolean value in section "${this.name}", entry "${key}" (bad value is "${value}")!`,
      );
    return truth;
  }

  /** Returns whether a boolean key exists and is true. */
  isTrue(key: string): boolean {
    return booleanValues.get(this.text(key)?.toLowerCase() ?? "") ?? false;
  }

  count(key: string): number | undefined {
    const value = this.text(key);
    if (value === undefined) return undefined;
    if (!/^\d+$/.test(value)) this.refuse(key, `invalid unsigned entry "${key}" in section "${this.name}"!`);
    return Number.parseInt(value, 10);
  }

  oneOf<Value extends string>(key: string, allowed: readonly Value[]): Value | undefined {
    const value = this.text(key);
    const found = allowed.find((one) => one === value);
    if (value !== undefined && found === undefined)
      this.refuse(key, `in section "${this.name}": invalid enum value for entry "${key}"!`);
    return found;
  }

  list(key: string): string[] {
    const parts = (this.text(key) ?? "").split(",");
    return parts.map((part) => part.trim()).filter(Boolean);
  }

  /** Refuses an entry because of a problem that a schema found. Without a key, refuses the section. */
  refuseEntry(key: string | undefined, problem: string): void {
    this.refuse(key, this.describe(key, problem));
  }

  /** Builds a message about an entry or about the section, with its place and value. */
  describe(key: string | undefined, problem: string): string {
    const value = key === undefined ? undefined : this.text(key);
    const entry = key === undefined ? "" : `, entry "${key}"`;
    const bad = value === undefined ? "" : ` (bad value is ${formatValue(value)})`;
    return `in section "${this.name}"${entry}: ${problem}${bad}`;
  }

  /** Warns about an entry of which only a part is used. */
  warn(key: string, message: string): void {
    this.options.warnings.push(this.describe(key, message));
  }

  /** Leaves out an entry, or a part of it, with a warning. A strict reader refuses it instead. */
  skip(key: string, problem: string): void {
    if (this.options.isStrict) this.refuseEntry(key, problem);
    else this.warn(key, `left out: ${problem}`);
  }

  refuse(key: string | undefined, message: string): void {
    this.isRefused = true;
    const entry = key === undefined ? undefined : this.entries.get(key);
    this.problems.push({ line: entry?.line ?? this.line, message });
  }
}

const booleanValues: ReadonlyMap<string, boolean> = new Map([
  ...["true", "yes", "on", "1"].map((word) => [word, true] as const),
  ...["false", "no", "off", "0"].map((word) => [word, false] as const),
]);
