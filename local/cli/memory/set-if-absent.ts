/** Sets a value unless the key has one; returns the stored value. */
export function setIfAbsent<K, V>(map: Map<K, V>, key: K, value: V): V {
  if (!map.has(key)) map.set(key, value);
  return map.get(key) as V;
}
