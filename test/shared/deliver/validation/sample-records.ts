import type { DataField, MarcRecord } from "../../../../shared/marc/record.ts";

export const numbering: DataField = [
  "936",
  "uw",
  [
    ["d", "12"],
    ["e", "3"],
  ],
];
export const title: DataField = ["245", "00", [["a", "A title"]]];
export const finalPages: DataField = ["PNO", "  ", [["a", "1"]]];

/** A record with what every record must have but for a title, and with these fields. */
export function record(...fields: DataField[]): MarcRecord {
  return {
    leader: "00000nab a2200000   4500",
    control: [
      ["001", "R1"],
      ["003", "DE-1"],
      ["007", "tu"],
    ],
    fields,
  };
}
