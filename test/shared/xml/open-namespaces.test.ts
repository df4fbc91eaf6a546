import { describe, expect, it } from "vitest";
import { declaredNamespaces } from "../../../shared/xml/namespaces.ts";
import { OpenNamespaces } from "../../../shared/xml/open-namespaces.ts";
import { cpuMsOf } from "../../cpu-time.ts";

const declare = (attributes: Record<string, string>) => declaredNamespaces(attributes);

describe("OpenNamespaces", () => {
  it("the innermost declaration counts, and ends with its element", () => {
    const namespaces = new OpenNamespaces();
    namespaces.open(declare({ xmlns: "urn:outer", "xmlns:a": "urn:a", id: "1" }));
    namespaces.open(declare({ id: "2" }));
    namespaces.open(declare({ xmlns: "urn:inner" }));
    expect(["", "a", "b"].map((prefix) => namespaces.namespaceOf(prefix))).toEqual([
      "urn:inner",
      "urn:a",
      undefined,
    ]);
    expect(namespaces.close()).toBe(true);
    expect(namespaces.close()).toBe(false);
    expect(namespaces.namespaceOf("")).toBe("urn:outer");
    namespaces.close();
    expect(namespaces.namespaceOf("a")).toBeUndefined();
  });

  it("xml needs no declaration", () => {
    expect(new OpenNamespaces().namespaceOf("xml")).toBe("http://www.w3.org/XML/1998/namespace");
  });

  it("thousands of declarations outside → those inside take no longer", () => {
    const namespaces = new OpenNamespaces();
    const many = Array.from({ length: 10_000 }, (_, number) => [`xmlns:p${number}`, "urn:a"]);
    namespaces.open(declare(Object.fromEntries(many)));
    const own = declare({ "xmlns:own": "urn:own" });
    const spentMs = cpuMsOf(() => {
      for (let element = 0; element < 100_000; element++) {
        namespaces.open(own);
        namespaces.close();
      }
    });
    expect(spentMs).toBeLessThan(2000);
  });
});
