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
  /** Folded away with the others that are rarely changed. */
  isMore?: boolean;
  rows?: number;
}

/** What a field has now: what was typed in this form wins. A box is sent as `yes` or `no`. */
export function typedValue({ name, value = "", kind }: Field, { form: sent }: Pick<PageRequest, "form">) {
  if (kind === "checkbox" && name in sent) return sent[name] === "yes" ? "yes" : "";
  // Browsers send the lines of a text with CR LF.
  return (sent[name] ?? value).replaceAll("\r\n", "\n");
}
