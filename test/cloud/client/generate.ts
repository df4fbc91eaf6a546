import "./typescript-api.ts";
import { readFileSync, writeFileSync } from "node:fs";

/** Writes the types of a client: `node generate.ts DOCUMENT TYPES`. */
const [document = "", types = ""] = process.argv.slice(2);
const { default: openapiTS, astToString } = await import("openapi-typescript");
writeFileSync(types, astToString(await openapiTS(JSON.parse(readFileSync(document, "utf8")))));
