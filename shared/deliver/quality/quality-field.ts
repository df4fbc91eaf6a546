import { subfieldValuesIn } from "../../marc/fields.ts";
import type { MarcRecord } from "../../marc/record.ts";
import { provenanceFields } from "../../records/origin/provenance.ts";

/** The fields of records whose quality is measured: those whose origin is kept and that MARC has, and the URL. */
export const qualityFieldNames = [...provenanceFields.filter((field) => field !== "type"), "url"] as const;
export type QualityFieldName = (typeof qualityFieldNames)[number];

interface QualityField {
  /** The MARC field as operators know it, with the subfield if other fields are in the same MARC field. */
  place: string;
  /** The tags with the subfield codes that contain the values. */
  from: [tags: string, codes: string][];
  /** The pattern of values; others, such as the code of an unknown licence, count as absent. */
  pattern?: RegExp;
}

const names = "100 110 111 700 710 711 720";

export const qualityFields: Readonly<Record<QualityFieldName, QualityField>> = {
  title: { place: "245", from: [["245", "a"]] },
  creators: { place: "100", from: [[names, "a"]] },
  year: { place: "264", from: [["264", "c"]], pattern: /\d{4}/ },
  volume: { place: "936 $d", from: [["936", "d"]] },
  issue: { place: "936 $e", from: [["936", "e"]] },
  // Subfield i is an article number.
  pages: { place: "936 $h", from: [["936", "hi"]] },
  doi: { place: "024", from: [["024", "a"]], pattern: /^10\./ },
  issn: { place: "773 $x", from: [["773", "x"]] },
  journal: { place: "773 $t", from: [["773", "t"]] },
  language: { place: "041", from: [["041", "a"]] },
  abstract: { place: "520", from: [["520", "a"]] },
  licence: {
    place: "856 $z",
    from: [
      ["856", "z"],
      ["540", "au"],
    ],
    pattern: /^(?!ZZ$)/,
  },
  keywords: { place: "650", from: [["650 653", "a"]] },
  identities: { place: "100 $0", from: [[names, "0"]] },
  url: { place: "856 $u", from: [["856", "u"]] },
};

/** Returns the values of a field of a record, in the order of the record. */
export function valuesOf(record: MarcRecord, name: QualityFieldName): string[] {
  const { from, pattern = /\S/ } = qualityFields[name];
  return from.flatMap(([tags, codes]) =>
    record.fields
      .filter(([tag]) => tags.includes(tag))
      .flatMap((field) => [...codes].flatMap((code) => subfieldValuesIn(field, code)))
      .filter((value) => pattern.test(value)),
  );
}
