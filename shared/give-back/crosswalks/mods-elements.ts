import { escapeAttribute, escapeXml } from "../../xml/escape-xml.ts";

type Attributes = Readonly<Record<string, string | undefined>>;

/**
 * Writes an element of MODS with a text or with elements.
 * @returns an empty text for an element without content
 */
export function element(
  name: string,
  content: string | undefined | readonly string[],
  attributes: Attributes = {},
): string {
  const inner = typeof content === "object" ? content.join("") : escapeXml(content ?? "");
  if (inner === "") return "";
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapeAttribute(value)}"`],
  );
  return `<${name}${written.join("")}>${inner}</${name}>`;
}
