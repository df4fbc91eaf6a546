/** `ingather/marc`: MARC-21 records in ISO 2709, MARCXML and MARC-in-JSON. */
export { InputError } from "../../shared/core/errors.ts";
export { controlFieldValue, fieldsOf, subfieldValues, subfieldValuesIn } from "../../shared/marc/fields.ts";
export { readIso2709 } from "../../shared/marc/iso2709-reader.ts";
export { type WriteOutcome, writeIso2709 } from "../../shared/marc/iso2709-writer.ts";
export { type MarcJson, toMarcJson } from "../../shared/marc/marc-json.ts";
export { writeMarcLines } from "../../shared/marc/marc-lines.ts";
export { readMarcXml } from "../../shared/marc/marcxml-reader.ts";
export { streamMarcXml, writeMarcXml } from "../../shared/marc/marcxml-writer.ts";
export type { ByteChunks, ReadOutcome } from "../../shared/marc/read-outcome.ts";
export type { ControlField, DataField, MarcRecord, Subfield } from "../../shared/marc/record.ts";
export { findStructureProblem } from "../../shared/marc/record-structure.ts";
