import { plainText } from "../../plain-text.ts";
import { attributeOf, forEachElement, type PageElement } from "../elements.ts";

/** Elements that pages use for labels: <b>Volume:</b> 12. */
const labelElements: ReadonlySet<string> = new Set(["b", "strong", "dt", "th", "label", "em", "i"]);
const labelClass = /(?:^|[\s_-])label(?:$|[\s_-])/i;
/** Elements whose label needs no colon, because the value is in the next cell. */
const cellLabels: ReadonlySet<string> = new Set(["dt", "th", "label"]);

const maxFacts = 200;
const maxValueChars = 300;

/**
 * Returns what a page states with visible labels, <b>Volume:</b> 12: each label without its colon, and the text up to
 * the next label or block.
 */
export function labelledTexts(page: string): [label: string, value: string][] {
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
    if (
      isLabel ||
      /^(?:br|p|div|li|tr|dd|td|h\d|table|ul|section|article|header|footer|aside|nav)$/.test(element.name)
    )
      endValue();
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
