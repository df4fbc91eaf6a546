import { bodyStore } from "../../shared/adapters/gate/body-store.ts";
import { finishRuleTest } from "../../shared/links/rule-test/rule-test.ts";
import { ruleTests } from "../../shared/links/stores/rule-tests.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import { inboundResponse, withoutResponse } from "../../shared/web/request/response.ts";

/** Tests a rule on a page. */
export const handler = sqsHandler({
  message: inboundResponse,
  services: () => ({ tests: ruleTests(), bodies: bodyStore() }),
  handle: finishRuleTest,
  settle: (response, services, reason) => finishRuleTest(withoutResponse(response, reason), services),
});
