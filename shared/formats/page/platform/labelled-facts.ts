import type { ArticleMetadata } from "../../article-metadata.ts";
import { plainText } from "../../plain-text.ts";
import { attributeOf, forEachElement, type PageElement } from "../elements.ts";

/** Elements that pages use for labels: <b>Volume:</b> 12. */
const labelElements: ReadonlySet<string> = new Set(["b", "strong", "dt", "th", "label", "em", "i"]);
const labelClass = /(?:^|[\s_-])label(?:$|[\s_-])/i;
/** Elements whose label needs no colon, because the value is in the next cell. */
const cellLabels: ReadonlySet<string> = new Set(["dt", "th", "label"]);

type Fact = "volume" | "issue" | "pages" | "volumeDate" | "DOI" | "publicationTitle";

const words: Readonly<Record<Fact, string>> = {
  volume: "vol(?:ume|umen)?|band|jahrgang|jg|tome|tomo|jaargang",
  issue: "issue|number|no|nr|nummer|heft|ausgabe|num[eé]ro|número|fasc(?:icolo|icule)?|aflevering",
  pages: "pages?|pp|seiten?|páginas?|pagine|pagina's",
  volumeDate: "year|jahr(?:gang)?|année|año|anno|publication year|erscheinungsjahr",
  DOI: "doi",
  publicationTitle: "journal|journal title|zeitschrift|revue|revista|rivista|published in|erschienen in",
};

const labels = Object.entries(words).map(
  ([fact, pattern]) => [fact as Fact, new RegExp(`^(?:${pattern})\\.?$`, "iu")] as const,
);

const number = /^(S?\d+\p{L}?(?:\s?[-–/]\s?\d+)?|[IVXLC]+)(?![\p{L}\d])/u;
const values: Readonly<Record<Fact, RegExp>> = {
  volume: number,
  issue: number,
  pages: /^(?:pp?\.\s*)?([A-Z]?\d+(?:\s?[-–]\s?[A-Z]?\d+)?)(?!\p{L})/u,
  volumeDate: /^((?:1[5-9]|20)\d\d(?:[/–-]\d{2,4})?)(?!\d)/,
  DOI: /(10\.\d{4,9}\/\S+)/,
  publicationTitle: /^(\p{L}.{2,150})$/u,
};

const maxFacts = 200;
const maxValueChars = 300;

/**
 * Reads what a page states with visible labels: <b>Volume:</b> 12. A fact that the page states with two values, such as
 * those of other articles, is left out.
 */
export function readLabelledFacts(page: string): Pick<ArticleMetadata, Fact> {
  const found = new Map<Fact, Set<string>>();
  for (const [label, value] of labelledTexts(page)) {
    const fact = labels.find(([, pattern]) => pattern.test(label))?.[0];
    const stated = fact && values[fact].exec(value)?.[1]?.replace(/\s?[-–]\s?/, "-");
    if (fact === undefined || stated === undefined) continue;
    found.set(fact, (found.get(fact) ?? new Set()).add(stated));
  }
  return Object.fromEntries(
    [...found].flatMap(([fact, stated]) => (stated.size === 1 ? [[fact, [...stated][0]]] : [])),
  );
}

/** Returns each label without its colon, and the text up to the next label or block. */
function labelledTexts(page: string): [label: string, value: string][] {
  const pairs: [string, string][] = [];
  let label: { element: string; text: string } | undefined;
  let value: { of: string; text: string } | undefined;
  const endValue = () => {
    const text = plainText(value?.text.replace(/^\s*:/, ""));
    if (value !== undefined && text !== undefined) {
      pairs.push([value.of, text]);
      value = undefined;
    }
  };
  const onStartTag = (element: PageElement) => {
    const isLabel = labelElements.has(element.name) || labelClass.test(attributeOf(element, "class") ?? "");
    if (isLabel || /^(?:br|p|div|li|tr|dd|td|h\d|table|ul)$/.test(element.name)) endValue();
    if (isLabel) label = { element: element.name, text: "" };
  };
  const onEndTag = (name: string) => {
    if (label === undefined || label.element !== name) return;
    const text = plainText(label.text) ?? "";
    const isComplete = /:$/.test(text) || cellLabels.has(name);
    // The colon may also follow the label: <b>Volume</b>: 12.
    if (text.length < 40) value = { of: text.replace(/\s*:$/, ""), text: isComplete ? ":" : "" };
    label = undefined;
  };
  const onText = (text: string) => {
    if (label !== undefined) label.text += text.slice(0, maxValueChars);
    else if (value !== undefined) {
      if (value.text.trim() === "" && text.trim() !== "" && !/^\s*:/.test(text)) value = undefined;
      else if (value.text.length < maxValueChars) value.text += text;
    }
  };
  forEachElement(page, (element) => pairs.length < maxFacts && onStartTag(element), { onEndTag, onText });
  endValue();
  return pairs;
}
