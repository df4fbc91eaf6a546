import { afterEach, expect, it, vi } from "vitest";
import { probeUrls } from "../../../../shared/adapters/gate/gate-settings.ts";
import { ConfigError } from "../../../../shared/core/errors.ts";
import { variables } from "../../../../shared/names.ts";
import { defaultAddressPolicy } from "../../../../shared/web/address/admit-url.ts";

afterEach(() => vi.unstubAllEnvs());

it.each([
  ["two → both", "https://a.example/,https://b.example/", ["https://a.example/", "https://b.example/"]],
  ["none → none", "", []],
])("probe URLs, %s", (_title, value, expected) => {
  vi.stubEnv(variables.probeUrls, value);
  expect(probeUrls(defaultAddressPolicy)).toEqual(expected);
});

it("a probe URL that may not be requested → a ConfigError that names it and says why", () => {
  vi.stubEnv(variables.probeUrls, "https://a.example/,http://10.0.0.1/");
  expect(() => probeUrls(defaultAddressPolicy)).toThrow(
    new ConfigError("probe URL http://10.0.0.1/: 10.0.0.1 is not a public address"),
  );
});
