import { expect, it } from "vitest";
import { FunctionThreads } from "../../../../local/cloud/lambda/function-threads.ts";

const invocation = { requestId: "r", event: {}, traceId: "t" };

function failing(code: string): { threads: FunctionThreads; reported: Error[] } {
  const reported: Error[] = [];
  const error = Object.assign(new Error(code), { code });
  const threads = new FunctionThreads(
    () => {
      throw error;
    },
    { onUnstartable: (each) => void reported.push(each) },
  );
  return { threads, reported };
}

it("the system grants no thread → reported, as each message would be received again without end", async () => {
  const { threads, reported } = failing("ERR_WORKER_INIT_FAILED");
  await expect(threads.run(invocation)).rejects.toThrow("ERR_WORKER_INIT_FAILED");
  expect(reported).toHaveLength(1);
});

it("a thread fails for another reason → only its invocation fails", async () => {
  const { threads, reported } = failing("ERR_WORKER_PATH");
  await expect(threads.run(invocation)).rejects.toThrow("ERR_WORKER_PATH");
  expect(reported).toEqual([]);
});

it("a thread turns out later not to be startable → reported, too", () => {
  const reported: Error[] = [];
  const error = new Error("Worker initialization failure: EMFILE");
  const threads = new FunctionThreads(
    ({ onUnstartable }) => {
      onUnstartable(error);
      throw new Error("ended");
    },
    { onUnstartable: (each) => void reported.push(each) },
  );
  return expect(threads.run(invocation))
    .rejects.toThrow("ended")
    .then(() => expect(reported).toEqual([error]));
});
