/**
 * List prices in US$ for eu-central-1, without free tiers, as of November 2026. They were copied from AWS's
 * pricing pages; verify them before you rely on them.
 * @see https://aws.amazon.com/pricing
 */
export const prices = {
  asOf: "2026-11",
  region: "eu-central-1",
  perMillion: {
    /** SQS. A request of more than 64 KiB counts as several. */
    fifoCalls: 0.5,
    standardCalls: 0.4,
    /** Lambda. */
    invocations: 0.2,
    /** DynamoDB on demand: writes per KiB, consistent reads per 4 KiB. */
    writeUnits: 0.7625,
    readUnits: 0.1525,
    /** S3 Standard. `s3Puts`: PUT, POST, COPY and LIST; the other price is for GET and all other requests. */
    s3Puts: 5.4,
    s3Gets: 0.43,
    /** EventBridge: custom events of up to 64 KiB. */
    events: 1,
    /** EventBridge Scheduler. */
    schedules: 1,
    mails: 100,
    /** HTTP API of API Gateway. */
    apiCalls: 1.2,
  },
  /** Lambda on arm64. */
  gigabyteSecond: 0.0000133334,
  /** CloudWatch. */
  logGigabyte: 0.63,
  perMonth: {
    alarm: 0.1,
    dashboard: 3,
    secret: 0.4,
    /** DynamoDB with point-in-time recovery, and S3 Standard. */
    tableGigabyte: 0.306 + 0.2448,
    objectGigabyte: 0.0245,
  },
} as const;
