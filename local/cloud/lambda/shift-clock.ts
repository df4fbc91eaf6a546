/**
 * Makes the clock of this thread as wrong as its clock offset says, now and whenever that changes.
 * @param clockOffset one Int32 in milliseconds
 */
export function shiftClock(clockOffset: SharedArrayBuffer): void {
  const offset = new Int32Array(clockOffset);
  const rightNow = Date.now;
  const now = () => rightNow() + Atomics.load(offset, 0);
  // A proxy, so that dates of either kind are instances of `Date`.
  globalThis.Date = new Proxy(Date, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
    apply: () => new Date().toString(),
    get: (target, property) => (property === "now" ? now : Reflect.get(target, property)),
  });
}
