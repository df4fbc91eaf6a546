/** More than an item of DynamoDB takes. */
const hugeChars = 450_000;

const placeholder = /\{\{([\w-]+):([^}]*)\}\}/g;

/**
 * The texts of a template such as `<title>{{title:On nets}}</title>`, by field: in each of them one field has 450 KB, and
 * the others are as the template says.
 */
export function hugeVariants(template: string): Map<string, string> {
  const fields = [...template.matchAll(placeholder)].map(([, field = ""]) => field);
  return new Map([...new Set(fields)].map((field) => [field, fill(template, field)]));
}

/** The text of a template, with a usual length of each field but one. */
export function fill(template: string, huge?: string): string {
  return template.replace(placeholder, (_, field: string, value: string) =>
    field === huge ? enlarge(value) : value,
  );
}

/** A URL or an identifier stays one; any other text gets more words. */
function enlarge(value: string): string {
  const more = /^(https?:|ORIGIN|\/|10\.|oai:)|^\S+[#=]$/.test(value) ? "x" : " word";
  return value + more.repeat(Math.ceil(hugeChars / more.length));
}
