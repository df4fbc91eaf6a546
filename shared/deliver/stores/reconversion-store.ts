import { expression, given, list, replacements } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import type { Reconversion, ReconversionStore } from "../../records/reconversions/reconversion.ts";

/** Stores one item per reconversion in the table of deliveries, sorted by time. */
export function reconversionStore(): ReconversionStore {
  const reconversions = table<Reconversion>({
    variable: "deliveriesTable",
    key: (sortKey) => ({ kind: "reconversion", sortKey }),
    hidden: ["kind", "sortKey"],
  });
  return {
    async create(reconversion) {
      await reconversions.putNew(reconversion.reconversionId, reconversion);
    },
    get: (reconversionId) => reconversions.get(reconversionId),
    list({ limit, after }) {
      const older = given(after, (sortKey) => expression` AND sortKey < ${sortKey}`);
      const where = expression`kind = ${"reconversion"}${older}`;
      return reconversions.query({ where, isDescending: true }).first(limit);
    },
    change: (reconversionId, from, change) =>
      reconversions.updateIf(
        reconversionId,
        replacements({ failure: undefined, ...change }),
        expression`state IN (${list(from)})`,
      ),
  };
}
