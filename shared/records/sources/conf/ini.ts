import { isUtf8 } from "node:buffer";

/** A section, in the order of the file. The entries before the first header form a section without a name. */
export interface IniSection {
  name: string;
  line: number;
  entries: Map<string, IniEntry>;
  /** The problems of the section's header and lines. */
  problems: IniProblem[];
}

export interface IniEntry {
  value: string;
  line: number;
}

/** A problem because of which a file or a section cannot be used, with its place. Lines count from 1. */
export interface IniProblem {
  line: number;
  message: string;
}

/** A section with a bad header, and the section before it, which may contain lines of the damaged section. */
export interface DamagedSection {
  section: IniSection;
  after: IniSection;
}

interface IniFile {
  sections: IniSection[];
  /** The damaged sections, which are not in `sections`. */
  damaged: DamagedSection[];
  /** Lines that are read as the Zotero Harvester reads them, but are probably mistakes. */
  warnings: IniProblem[];
}

/**
 * Reads `key = value` under `[section]` headers. A value in double quotes may have C escapes. A `#` outside quotes
 * begins a comment unless a backslash precedes it. A backslash at the end of a line continues the line. A key without a
 * value means `true`. All problems are listed.
 */
export function parseIni(text: string): IniFile {
  let section: IniSection = { name: "", line: 1, entries: new Map(), problems: [] };
  const file: IniFile = { sections: [section], damaged: [], warnings: [] };
  const names = new Set<string>();
  for (const { line, content, isAfterOpenComment } of logicalLines(text)) {
    if (isAfterOpenComment) {
      const message = "belongs to the comment of the previous line, which ends in a backslash";
      file.warnings.push({ line, message });
    }
    const statement = withoutComment(content).trim();
    if (!statement) continue;
    let problem: string | undefined;
    if (statement.startsWith("[")) {
      const name = statement.replace(/^\[|\]$/g, "").trim();
      problem = headerProblem(statement, name, names);
      const after = section;
      section = { name, line, entries: new Map(), problems: [] };
      if (problem === undefined) {
        names.add(name);
        file.sections.push(section);
      } else file.damaged.push({ section, after });
    } else problem = addEntry(section, statement, line);
    if (problem !== undefined) section.problems.push({ line, message: problem });
  }
  return file;
}

interface LogicalLine {
  /** The last physical line of the logical line. */
  line: number;
  content: string;
  /** Whether the last physical line is not blank and belongs to a comment that a backslash continued. */
  isAfterOpenComment: boolean;
}

function* logicalLines(text: string): Generator<LogicalLine> {
  const lines = text.split(/\r?\n/);
  let continued: string[] = [];
  for (const [index, physical] of lines.entries()) {
    if (physical.endsWith("\\")) continued.push(physical.slice(0, -1));
    else {
      const isAfterOpenComment =
        continued.length > 0 && physical.trim() !== "" && isComment(continued.join(""));
      yield { line: index + 1, content: [...continued, physical].join(""), isAfterOpenComment };
      continued = [];
    }
  }
  if (continued.length > 0)
    yield { line: lines.length, content: continued.join(""), isAfterOpenComment: false };
}

/** Returns whether a comment has begun. Text after it is ignored. */
function isComment(content: string): boolean {
  return withoutComment(content) === withoutComment(`${content}x`);
}

function withoutComment(content: string): string {
  const equals = content.indexOf("=");
  const valueAt = equals < 0 ? -1 : content.length - content.slice(equals + 1).trimStart().length;
  let quoted = false;
  let kept = "";
  for (let at = 0; at < content.length; at++) {
    const character = content[at];
    if (character === "\\" && content[at + 1] === "#" && !quoted) continue;
    if (character === "\\" && quoted) kept += content[at++];
    else if (character === '"' && (quoted || at === valueAt)) quoted = !quoted;
    else if (character === "#" && !quoted && content[at - 1] !== "\\") return kept;
    kept += content[at] ?? "";
  }
  return kept;
}

function headerProblem(statement: string, name: string, names: ReadonlySet<string>): string | undefined {
  if (!statement.endsWith("]")) return `garbled section header "${statement}"`;
  if (!name) return "empty section name";
  if (names.has(name)) return `duplicate section "${name}"`;
  return undefined;
}

function addEntry(section: IniSection, statement: string, line: number): string | undefined {
  const equals = statement.indexOf("=");
  const key = (equals < 0 ? statement : statement.slice(0, equals)).trim();
  if (!key) return "missing variable name";
  if (!/^[A-Za-z][\w./:-]*$/.test(key)) return `invalid variable name "${key}"`;
  if (section.entries.has(key))
    return `attempting to insert a duplicate variable name: "${key}" in section "${section.name}"!`;
  const value = equals < 0 ? "true" : readValue(statement.slice(equals + 1).trim());
  const problem = typeof value === "string" ? surrogateProblem(value) : value.problem;
  if (typeof value !== "string" || problem !== undefined)
    return `${problem} of "${key}" in section "${section.name}"`;
  section.entries.set(key, { value, line });
  return undefined;
}

function readValue(written: string): string | { problem: string } {
  if (!written) return { problem: "missing variable value" };
  if (!written.startsWith('"')) return written;
  if (written.length === 1 || !written.endsWith('"')) return { problem: "improperly quoted value" };
  return unescapeC(written.slice(1, -1));
}

/** Finds half of a surrogate pair, which cannot be encoded in UTF-8. */
function surrogateProblem(value: string): string | undefined {
  return value.isWellFormed() ? undefined : "half of a surrogate pair in the value";
}

const lastCodePoint = 0x10ffff;

const simpleEscapes: Record<string, string> = {
  n: "\n",
  t: "\t",
  b: "\b",
  r: "\r",
  f: "\f",
  v: "\v",
  a: "\u0007",
};

const escapes = /((?:\\(?:[0-7]{1,3}|x[\dA-Fa-f]{2}))+)|\\(?:u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8})|(.))/gsu;

function unescapeC(text: string): string | { problem: string } {
  let noCharacter: string | undefined;
  const unescaped = text.replace(
    escapes,
    (written, bytes?: string, u?: string, U?: string, other?: string) => {
      const hexadecimal = u ?? U;
      if (bytes === undefined && hexadecimal === undefined) return simpleEscapes[other ?? ""] ?? other ?? "";
      const character =
        bytes === undefined ? characterOf(Number.parseInt(hexadecimal ?? "", 16)) : textOfBytes(bytes);
      if (character === undefined) noCharacter ??= written;
      return character ?? "";
    },
  );
  return noCharacter === undefined
    ? unescaped
    : { problem: `${noCharacter}, which is not a character, in the value` };
}

function characterOf(code: number): string | undefined {
  return code <= lastCodePoint ? String.fromCodePoint(code) : undefined;
}

/** Decodes octal and hexadecimal escapes, which are bytes of UTF-8. Several bytes may form one character. */
function textOfBytes(written: string): string | undefined {
  const codes = written
    .split("\\")
    .slice(1)
    .map((code) => (code.startsWith("x") ? Number.parseInt(code.slice(1), 16) : Number.parseInt(code, 8)));
  const bytes = Buffer.from(codes);
  return codes.every((code) => code <= 0xff) && isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}
