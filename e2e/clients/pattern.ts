/** The same bytes for the same size, in the page and in the test. */
export function patterned(size: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: size }, (_, at) => (at * 31 + (at >> 8)) % 251)
}
