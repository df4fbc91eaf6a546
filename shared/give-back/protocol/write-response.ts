import { escapeAttribute, escapeXml } from "../../xml/escape-xml.ts";
import { datestampOf } from "../log/change-key.ts";
import type { OaiArguments, OaiFault } from "./read-request.ts";

/** The header of a record. */
export interface RecordHeader {
  /** The identifier in this repository. */
  identifier: string;
  /** The key of the change, which contains the datestamp. */
  key: string;
  sets: readonly string[];
  isDeleted: boolean;
}

/** The end of a part of a list. */
export interface ListEnd {
  /** Absent in the last part. */
  token?: string | undefined;
  cursor: number;
  size?: number | undefined;
}

/** Writes an element with a text. */
export function textElement(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}

/** @see https://www.openarchives.org/OAI/openarchivesprotocol.html#header */
export function writeHeader({ identifier, key, sets, isDeleted }: RecordHeader): string {
  const status = isDeleted ? ' status="deleted"' : "";
  const specs = sets.map((set) => textElement("setSpec", set));
  return `<header${status}>${textElement("identifier", identifier)}${textElement("datestamp", datestampOf(key))}${specs.join("")}</header>`;
}

/** @param metadata the element; undefined for a deleted record */
export function writeRecord(header: RecordHeader, metadata: string | undefined): string {
  const content = metadata === undefined ? "" : `<metadata>${metadata}</metadata>`;
  return `<record>${writeHeader(header)}${content}</record>`;
}

/**
 * Writes the resumption token. A list in one part has none, and the last of several parts has an empty one.
 * @see https://www.openarchives.org/OAI/openarchivesprotocol.html#FlowControl
 */
export function writeListEnd({ token, cursor, size }: ListEnd): string {
  if (token === undefined && cursor === 0) return "";
  const attributes = `${size === undefined ? "" : ` completeListSize="${size}"`} cursor="${cursor}"`;
  return `<resumptionToken${attributes}>${escapeXml(token ?? "")}</resumptionToken>`;
}

/**
 * Writes the whole response.
 * @param given.args the arguments of the request; absent when they are not valid
 * @param given.content the element of the verb, or the error
 */
export function writeResponse(given: {
  responseDate: string;
  baseUrl: string;
  args?: OaiArguments | undefined;
  content: string | OaiFault;
}): string {
  const { responseDate, baseUrl, args = {}, content } = given;
  const attributes = Object.entries(args).map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`);
  const body =
    typeof content === "string"
      ? content
      : `<error code="${content.code}">${escapeXml(content.message)}</error>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/ http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd"><responseDate>${responseDate}</responseDate><request${attributes.join("")}>${escapeXml(baseUrl)}</request>${body}</OAI-PMH>
`;
}
