import { readFileSync } from "node:fs";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { describe, expect, it } from "vitest";
import { deploymentSettings } from "../../../infra/settings.ts";
import { group } from "../../../shared/records/sources/group.ts";
import { outboundRequest } from "../../../shared/web/request/request.ts";

const { context } = JSON.parse(readFileSync(join(import.meta.dirname, "../../../cdk.json"), "utf8"));

const doors: [door: string, open: (userAgent: string) => unknown][] = [
  ["a group", (userAgent) => group.parse({ groupId: "g", isil: "XX-1", outputFolder: "x", userAgent })],
  ["a request", (userAgent) => outboundRequest.parse({ id: "r", kind: "feed", url: "http://a/", userAgent })],
  [
    "a deployment",
    (userAgent) =>
      deploymentSettings(new App({ context: { ...context, "ingather:userAgent": userAgent } }).node),
  ],
];

describe.each(doors)("the User-Agent of %s", (_, open) => {
  it("printable ASCII → accepted", () => {
    expect(() => open("Ingather/1.0 (+https://library.example; a@library.example)")).not.toThrow();
  });

  it.each(["Ingather – Bibliothek", "Ingather Universität", "Ingather\nX: y", "", "x".repeat(501)])(
    "%j → refused, and the field is named",
    (userAgent) => {
      expect(() => open(userAgent)).toThrow("userAgent");
    },
  );
});
