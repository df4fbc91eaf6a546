import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { eventSchemas } from "../../../../local/docs/events-page.ts";

const document = JSON.parse(eventSchemas());
const ajv = new Ajv2020({ strict: true, allErrors: true });
formats.default(ajv);
ajv.addSchema(document, "events");

/** What is wrong with the detail of an event by `docs/events.schema.json`; undefined when nothing is. */
export function schemaProblem({ type, detail }: { type: string; detail: unknown }): string | undefined {
  if (document.$defs[type] === undefined) return `${type} is not in the catalogue`;
  const validate = ajv.getSchema(`events#/$defs/${type}`);
  if (validate?.(detail) === true) return undefined;
  return `${type}: ${ajv.errorsText(validate?.errors)} in ${JSON.stringify(detail)}`;
}
