import type { LinkWorld } from "./link-world.ts";

const writes = new Set([
  "replaceLinkStatus",
  "create",
  "open",
  "addResult",
  "add",
  "schedule",
  "publish",
  "send",
]);

/** The ports of a process that is killed at its n-th write, before or after it. */
export function mortal(
  ports: LinkWorld["ports"],
  death: { write: number; before: boolean },
): LinkWorld["ports"] {
  let done = 0;
  const dying = (port: object) =>
    new Proxy(port, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== "function" || !writes.has(String(name))) return method;
        return async (...args: unknown[]) => {
          // The dead do nothing more, whatever their code does about the error.
          if (done > death.write) throw new Error("killed");
          const isLast = done === death.write;
          done += 1;
          if (isLast && death.before) throw new Error("killed");
          const result: unknown = await method.apply(target, args);
          if (isLast) throw new Error("killed");
          return result;
        };
      },
    });
  return Object.fromEntries(
    Object.entries(ports).map(([name, port]) => [name, typeof port === "object" ? dying(port) : port]),
  ) as LinkWorld["ports"];
}
