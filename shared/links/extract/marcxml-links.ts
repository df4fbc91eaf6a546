import { decodeMarked } from "../../xml/character-encoding.ts";
import { visitElements } from "../../xml/visit-elements.ts";
import { LinkGatherer, type LinkReading } from "./found-link.ts";

/**
 * Reads the electronic locations (856 $u) of a MARCXML document, also when the records are in an envelope such as
 * OAI-PMH or SRU.
 * @see https://www.loc.gov/marc/bibliographic/bd856.html
 */
export function readMarcXmlLinks(bytes: Uint8Array): LinkReading {
  const links = new LinkGatherer();
  let records = 0;
  let record = "";
  let isLocation = false;
  let isControlNumber = false;
  const problem = visitElements(decodeMarked(bytes), {
    open({ name, attributes }) {
      if (name === "record") record = String(++records);
      if (name === "datafield") isLocation = attributes.tag === "856";
      isControlNumber = name === "controlfield" && attributes.tag === "001";
      return isControlNumber || (name === "subfield" && isLocation && attributes.code === "u");
    },
    text(text, place) {
      if (isControlNumber) record = text.trim() || record;
      else links.add(text, { ...place, record }, undefined);
    },
    close(name) {
      if (name === "datafield") isLocation = false;
    },
  });
  if (problem !== undefined) return { type: "unreadable", detail: `is not MARCXML: ${problem}` };
  if (records === 0) return { type: "unreadable", detail: "has no MARCXML record" };
  return links.finish();
}
