import type { Mailer } from "../../records/mail/mailer.ts";
import type { DefinitionSummary } from "./definition.ts";
import { definitionMail } from "./definition-mail.ts";

export interface OperatorMailPorts {
  mailer: Mailer;
  recipients: string[];
}

/** Sends operators a mail about an index that is partial, has failed, or has expired. */
export async function tellOperators(
  definition: DefinitionSummary,
  generation: number,
  { mailer, recipients }: OperatorMailPorts,
): Promise<void> {
  const mail = definitionMail(definition, generation, recipients);
  if (mail !== undefined) await mailer.send(mail);
}
