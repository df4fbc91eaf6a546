import { App } from "aws-cdk-lib";
import { describe, expect, it } from "vitest";
import { deploymentSettings } from "../../../infra/settings.ts";
import { group } from "../../../shared/sources/group.ts";
import { outboundRequest } from "../../../shared/web/gate/request.ts";

const context = {
  timeZone: "Europe/Berlin",
  mailFrom: "ingather@library.example",
  senderIdentity: "address",
  deletionProtection: "off",
  mailTo: "metadata@library.example",
  harvestMailbox: "contents@library.example",
  runbookUrl: "https://library.example/runbook.md",
  probeUrls: "https://library.example/",
  checkSetAudience: "operators",
  dashboards: "off",
};

const doors: [door: string, open: (userAgent: string) => unknown][] = [
  ["a group", (userAgent) => group.parse({ groupId: "g", isil: "XX-1", outputFolder: "x", userAgent })],
  ["a request", (userAgent) => outboundRequest.parse({ id: "r", kind: "feed", url: "http://a/", userAgent })],
  [
    "a deployment",
    (userAgent) => {
      const settings = Object.entries({ ...context, userAgent });
      const named = Object.fromEntries(settings.map(([name, value]) => [`ingather:${name}`, value]));
      return deploymentSettings(new App({ context: named }).node);
    },
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
