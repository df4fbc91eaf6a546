/** The headers of a response, read tolerantly. */
interface FieldLines {
  headers: Record<string, string | string[]>;
  warnings: string[];
  /** A fault because of which the end of the body is uncertain. For people. */
  fault?: string | undefined;
}

/** The headers that determine where the response ends. With a fault in one of them, no body is read. */
const framingNames: ReadonlySet<string> = new Set(["content-length", "transfer-encoding"]);

/** @see https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2 */
const token = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controlCharacter = /[\x00-\x08\x0a-\x1f\x7f]/;

interface Field {
  name: string;
  value: string;
  isFolded: boolean;
}

/**
 * Reads header lines as browsers do. Folded lines are joined by a space. Lines without a valid name are ignored.
 * Control characters in values become spaces, except in a Location; a cookie with a control character is ignored. Lines
 * with a zero byte are ignored.
 * @param lines without their line ends; blank lines at the end are ignored
 * @see https://www.rfc-editor.org/rfc/rfc9112#name-obsolete-line-folding
 */
export function parseFieldLines(lines: readonly string[]): FieldLines {
  const warnings = new Set<string>();
  let fault: string | undefined;
  // The object has no prototype, because a host may send a header named `__proto__`.
  const headers: Record<string, string | string[]> = Object.create(null);
  if (lines.some((line) => line.includes("\0"))) fault = "a header has a zero byte";
  const readable = lines.filter((line) => !line.includes("\0"));
  for (const field of unfold(readable, warnings)) {
    const name = field.name.trimEnd().toLowerCase();
    if (!token.test(name)) {
      if ([...framingNames].some((each) => name.includes(each)))
        fault ??= `its ${printed(name)} is not valid`;
      warnings.add("a header has no valid name");
      continue;
    }
    const isIrregular =
      name.length !== field.name.length || field.isFolded || controlCharacter.test(field.value);
    if (isIrregular && framingNames.has(name)) fault ??= `its ${name} is not valid`;
    if (name.length !== field.name.length) warnings.add("a space follows the name of a header");
    if (field.isFolded) warnings.add("a header is folded");
    addField(headers, { name, value: field.value }, warnings);
  }
  return { headers, warnings: [...warnings], fault };
}

function addField(
  headers: Record<string, string | string[]>,
  { name, value }: { name: string; value: string },
  warnings: Set<string>,
): void {
  let kept = value;
  if (controlCharacter.test(value)) {
    warnings.add("a header has control characters");
    if (name === "set-cookie") return;
    // In a Location, the URL parser escapes or removes control characters, as browsers do.
    if (name !== "location") kept = value.replaceAll(new RegExp(controlCharacter, "g"), " ").trim();
  }
  const known = headers[name];
  if (known === undefined) headers[name] = kept;
  else if (Array.isArray(known)) known.push(kept);
  else headers[name] = [known, kept];
}

/** Returns the header fields, with folded lines joined. */
function unfold(lines: readonly string[], warnings: Set<string>): Field[] {
  const fields: Field[] = [];
  for (const line of lines) {
    if (line === "") continue;
    const last = fields.at(-1);
    if (/^[ \t]/.test(line) && last !== undefined) {
      last.value = `${last.value} ${trimmed(line)}`.trim();
      last.isFolded = true;
      continue;
    }
    const colon = line.indexOf(":");
    if (colon === -1) {
      warnings.add("a header has no colon");
      // A line that continues the invalid line belongs to no header.
      fields.push({ name: "", value: "", isFolded: false });
    } else {
      fields.push({ name: line.slice(0, colon), value: trimmed(line.slice(colon + 1)), isFolded: false });
    }
  }
  return fields;
}

function trimmed(text: string): string {
  return text.replace(/^[ \t]+|[ \t]+$/g, "");
}

function printed(name: string): string {
  return name.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 40);
}
