import { validationRule } from "../validation/rule.ts";
import { ruleSubjectFields, validationRuleFields } from "../validation/rule-fields.ts";

const subjectNames = Object.keys(ruleSubjectFields);

/** A rule as it is sent: the fields that identify it, the fields that it sets, and the schema of both. */
export const validationRuleBody = {
  subject: ruleSubjectFields,
  fields: validationRuleFields,
  ownFields: Object.fromEntries(
    Object.entries(validationRuleFields).filter(([name]) => !subjectNames.includes(name)),
  ),
  schema: validationRule,
};
