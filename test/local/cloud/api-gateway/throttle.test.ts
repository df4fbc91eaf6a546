import { expect, it } from "vitest";
import { Throttle } from "../../../../local/cloud/api-gateway/throttle.ts";

const settings = {
  DefaultRouteSettings: { ThrottlingRateLimit: 2, ThrottlingBurstLimit: 3 },
  RouteSettings: { "GET /open": { ThrottlingRateLimit: 1, ThrottlingBurstLimit: 2 } },
};
const keys = ["GET /open", "GET /a", "GET /b"];

const admitted = (throttle: Throttle, key: string, times: number, atMs: number) =>
  Array.from({ length: times }, () => throttle.admits(key, atMs)).filter(Boolean).length;

it("a route of its own limits → takes nothing from the others", () => {
  const throttle = new Throttle(settings, keys);
  expect(admitted(throttle, "GET /open", 10, 0)).toBe(2);
  expect(admitted(throttle, "GET /a", 2, 0)).toBe(2);
  expect(admitted(throttle, "GET /b", 10, 0)).toBe(3);
});

it("time passes → as many again as the rate says, at most the burst", () => {
  const throttle = new Throttle(settings, keys);
  expect(admitted(throttle, "GET /open", 2, 0)).toBe(2);
  expect(admitted(throttle, "GET /open", 9, 999)).toBe(0);
  expect(admitted(throttle, "GET /open", 9, 1000)).toBe(1);
  expect(admitted(throttle, "GET /open", 9, 100_000)).toBe(2);
});

it("a stage without limits → all pass", () => {
  expect(admitted(new Throttle({}, keys), "GET /a", 1000, 0)).toBe(1000);
});

it("limits of a route that does not exist → refused, as by CloudFormation", () => {
  expect(() => new Throttle(settings, ["GET /a"])).toThrow("unable to find route by key GET /open");
});
