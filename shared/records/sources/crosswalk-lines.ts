import type { LineNotation } from "../../core/field-table.ts";
import { parseJson } from "../../core/parse-json.ts";
import type { Crosswalk, CrosswalkTarget } from "./crosswalk-fields.ts";

/**
 * The notation of a crosswalk in forms:
 *
 *     subject = 650 #7 $a $2=local split="; "
 *     relation = 787 ## $n url=u
 *     rights =
 *     language Hochdeutsch = ger
 *     type Aufsatz = ab
 *
 * A line names an element and a target: its tag, indicators with `#` for a blank, and its subfield; then constants of further
 * subfields, the separator of values, and the subfield of URLs. An element with several targets has a line for each.
 */
export const crosswalkLines: LineNotation = {
  write: ({ fields, languages, types }: Crosswalk) => [
    ...Object.entries(fields).flatMap(([element, targets]) =>
      targets.length === 0 ? `${element} =` : targets.map((target) => `${element} = ${writeTarget(target)}`),
    ),
    ...Object.entries(languages).map(([text, code]) => `language ${writeText(text)} = ${code}`),
    ...Object.entries(types).map(([text, code]) => `type ${writeText(text)} = ${code}`),
  ],
  read(lines) {
    const maps = {
      fields: new Map<string, unknown[]>(),
      language: new Map<string, string>(),
      type: new Map<string, string>(),
    };
    for (const line of lines) {
      const [, kind, text = "", code = ""] = /^(language|type) +(?!=)(.*) =(.*)$/.exec(line) ?? [];
      if (kind === "language" || kind === "type") {
        maps[kind].set(readText(text.trim()), code.trim());
        continue;
      }
      const [start = "", ...rest] = line.split("=");
      const element = start.trim();
      // A line without "=" is refused, because its text is not the tag of a target.
      const target = rest.length === 0 ? line : rest.join("=").trim();
      const before = maps.fields.get(element) ?? [];
      maps.fields.set(element, target === "" ? before : [...before, readTarget(target)]);
    }
    return {
      fields: Object.fromEntries(maps.fields),
      languages: Object.fromEntries(maps.language),
      types: Object.fromEntries(maps.type),
    };
  },
};

function writeTarget({ tag, indicators, code, urlCode, separator, constants }: CrosswalkTarget): string {
  return [
    `${tag} ${indicators.replaceAll(" ", "#")} $${code}`,
    ...Object.entries(constants).map(([subfield, text]) => `$${subfield}=${writeText(text)}`),
    ...(separator === undefined ? [] : [`split=${writeText(separator)}`]),
    ...(urlCode === undefined ? [] : [`url=${urlCode}`]),
  ].join(" ");
}

const word = String.raw`"(?:[^"\\]|\\.)*"|[^\s"]\S*`;
const targetLine = new RegExp(
  String.raw`^(\S+)(?: +([\d#]{2}))?(?: +\$(\S))?((?: +(?:\$\S|split|url)=(?:${word}))*)$`,
);

/** An unreadable target keeps its text as its tag, which the schema refuses. */
function readTarget(text: string): object {
  const [, tag, indicators, code, more = ""] = targetLine.exec(text) ?? [];
  if (tag === undefined) return { tag: text };
  const options = [...more.matchAll(new RegExp(String.raw`(\$\S|split|url)=(${word})`, "g"))].map(
    ([, name = "", value = ""]) => [name, readText(value)] as const,
  );
  const constants = options.flatMap(([name, value]) =>
    name.startsWith("$") ? [[name.slice(1), value]] : [],
  );
  const { split, url } = Object.fromEntries(options);
  return {
    tag,
    indicators: (indicators ?? "##").replaceAll("#", " "),
    code: code ?? "a",
    ...(url !== undefined && { urlCode: url }),
    ...(split !== undefined && { separator: split }),
    constants: Object.fromEntries(constants),
  };
}

/** Quotes a text as JSON if it contains spaces, quotes or `=`. */
function writeText(text: string): string {
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text);
}

function readText(text: string): string {
  const parsed = text.startsWith('"') ? parseJson(text) : undefined;
  return typeof parsed === "string" ? parsed : text;
}
