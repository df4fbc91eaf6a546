import { type CachedAnswer, type ValidatorStore, validatorsKey } from "../chain/conditional.ts";
import type { OutboundRequest } from "../request/request.ts";

/**
 * The earlier responses on which the requests of one batch to a host are conditional. If this invocation sends all
 * requests of the batch, their earlier responses are read in one call. Otherwise they are read one by one, because the
 * batch is received again for each request.
 */
export class EarlierAnswers {
  private readonly validators: ValidatorStore | undefined;
  /** The requests whose earlier responses have not been read. */
  private requests: readonly OutboundRequest[];
  private readonly read = new Map<string, CachedAnswer | undefined>();

  constructor(validators: ValidatorStore | undefined, requests: readonly OutboundRequest[]) {
    this.validators = validators;
    this.requests = requests;
  }

  /**
   * Returns the earlier response to a request. @param isBatchSent whether the other requests of the batch are sent
   * soon, too
   */
  async to(request: OutboundRequest, isBatchSent: boolean): Promise<CachedAnswer | undefined> {
    const key = validatorsKey(request);
    if (key === undefined || this.validators === undefined) return undefined;
    if (!this.read.has(key)) {
      const keys = new Set(isBatchSent ? this.requests.flatMap((each) => validatorsKey(each) ?? []) : []);
      if (isBatchSent) this.requests = [];
      const found = await this.validators.recallAll([...keys.add(key)]);
      for (const each of keys) this.read.set(each, found.get(each));
    }
    const answer = this.read.get(key);
    // The next response may replace the remembered one in the meantime.
    this.read.delete(key);
    return answer;
  }
}
