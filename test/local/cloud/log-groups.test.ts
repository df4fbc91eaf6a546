import { beforeEach, expect, it, vi } from "vitest";
import { type LogGroups, openLogGroups } from "../../../local/cloud/log-groups.ts";
import { callJson } from "../../../local/cloud/service.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const group = "/aws/events/small";
const event = (type: string, sourceId: string) =>
  JSON.stringify({ "detail-type": type, detail: { sourceId } });

interface Answer {
  events: { timestamp: number; message: string }[];
  nextToken?: string;
}

let logs: LogGroups;
let dir: string;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  dir = temporaryFolder();
  logs = openLogGroups(dir);
  for (const [at, type, sourceId] of [
    [1000, "a.new", "x"],
    [2000, "a.new", "y"],
    [3000, "b.new", "x"],
  ] as const) {
    vi.setSystemTime(at);
    logs.put(group, event(type, sourceId));
  }
  vi.useRealTimers();
});

const find = (input: object, of = logs) =>
  callJson<Answer>(of.service, "Logs_20140328.FilterLogEvents", { logGroupName: group, ...input });
const times = ({ events }: Answer) => events.map(({ timestamp }) => timestamp);

it.each([
  [{}, [1000, 2000, 3000]],
  [{ startTime: 2000 }, [2000, 3000]],
  [{ startTime: 1000, endTime: 2000 }, [1000, 2000]],
  [{ filterPattern: '{ ($.detail-type = "a.new") }' }, [1000, 2000]],
  [{ filterPattern: '{ ($.detail-type = "a.new") && ($.detail.sourceId = "y") }' }, [2000]],
  [{ filterPattern: '{ ($.detail.sourceId = "a \\"quoted\\" one") }' }, []],
  [{ logGroupName: "/aws/events/other" }, []],
])("%j → %j", async (input, found) => {
  expect(times(await find(input))).toEqual(found);
});

it("more than a page → the token leads to the rest", async () => {
  const first = await find({ limit: 2 });
  expect(times(first)).toEqual([1000, 2000]);
  const second = await find({ limit: 2, nextToken: first.nextToken });
  expect(times(second)).toEqual([3000]);
  expect(second.nextToken).toBeUndefined();
});

it("opened again → what was logged is there", async () => {
  expect(times(await find({}, openLogGroups(dir)))).toHaveLength(3);
});

it("another pattern than equalities → refused, not ignored", async () => {
  await expect(find({ filterPattern: "{ $.detail.sourceId = * }" })).rejects.toThrow("filter pattern");
});
