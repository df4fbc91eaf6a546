import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

/** Writes the types of a client: `node generate.js DOCUMENT TYPES`. */
const [document = "", types = ""] = process.argv.slice(2);
writeFileSync(types, astToString(await openapiTS(JSON.parse(readFileSync(document, "utf8")))));
