import type { MiddlewareObj } from "@middy/core";
import { errorFields, log } from "./log.ts";

/** Logs an invocation that ends with an error, and lets the error go on to Lambda, which counts and repeats it. */
export function invocationLog(): MiddlewareObj {
  return {
    onError: ({ error }) => log("error", "the invocation failed", errorFields(error)),
  };
}
