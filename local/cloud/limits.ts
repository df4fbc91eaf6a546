/**
 * AWS limits that the emulators do not enforce. SQS, S3 and DynamoDB enforce their own limits; `ses.ts` has
 * the limit of recipients.
 */

/**
 * The maximum size of an event for a function, and of its response.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const maxPayloadBytes = 6 * 1024 * 1024;

/**
 * The maximum total size of the names and values of a function's variables.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
export const maxEnvironmentBytes = 4096;

/** @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html */
export const maxEventsPerCall = 10;
/**
 * The maximum total size of the entries of one call.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevent-size.html
 */
export const maxEventBytes = 256 * 1024;

/** @see https://docs.aws.amazon.com/scheduler/latest/APIReference/API_CreateSchedule.html */
export const scheduleNamePattern = /^[\w.-]{1,64}$/;
export const maxScheduleInputBytes = 256 * 1024;

export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}
