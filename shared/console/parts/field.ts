import type { PageRequest } from "../page.ts";

/** A field of a form. */
export interface Field {
  name: string;
  label: string;
  /** What it has now; what was typed wins. */
  value?: string | undefined;
  hint?: string;
  kind?: "text" | "url" | "email" | "number" | "date" | "textarea" | "checkbox";
  /** Value → text: a choice. */
  options?: Readonly<Record<string, string>>;
  isRequired?: boolean;
  rows?: number;
}

/** The value of a field: typed input takes precedence. A box without a check is not sent. */
export function typedValue({ name, value = "", kind }: Field, { form: sent }: Pick<PageRequest, "form">) {
  if (kind === "checkbox" && "csrf" in sent) return sent[name] ?? "";
  return sent[name] ?? value;
}
