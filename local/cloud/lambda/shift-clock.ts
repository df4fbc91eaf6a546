/**
 * Shifts the clock of this thread by its clock offset, which may change at any time.
 * @param clockOffset one Int32 in milliseconds
 */
export function shiftClock(clockOffset: SharedArrayBuffer): void {
  const offset = new Int32Array(clockOffset);
  const rightNow = Date.now;
  const now = () => rightNow() + Atomics.load(offset, 0);
  // A proxy, so that `instanceof Date` holds for dates created before and after this call.
  globalThis.Date = new Proxy(Date, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
    apply: () => new Date().toString(),
    get: (target, property) => (property === "now" ? now : Reflect.get(target, property)),
  });
}
