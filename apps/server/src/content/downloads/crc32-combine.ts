/** The polynomial of CRC-32 as zlib has it: reflected, the highest power at the lowest bit. */
const POLYNOMIAL = 0xedb8_8320
const ONE = 0x8000_0000

/** Product of two polynomials over GF(2), modulo that of CRC-32. */
function multiply(left: number, right: number): number {
  let product = 0
  let factor = right
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if ((left & bit) !== 0) product ^= factor
    factor = (factor & 1) === 0 ? factor >>> 1 : (factor >>> 1) ^ POLYNOMIAL
  }
  return product >>> 0
}

/** x to the power of 8 times `bytes`: what that many zero bytes do to a checksum. */
function shiftBy(bytes: number): number {
  let power = ONE
  // x^8, then its squares. Bytes may be more than 2^32, so no bit operations on them.
  let square = ONE >>> 8
  for (let left = bytes; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = multiply(square, power)
    square = multiply(square, square)
  }
  return power
}

/**
 * CRC-32 of two pieces in a row, from the CRC-32 of each, as crc32_combine() of zlib.
 * @param bytes length of the second piece
 */
export function combineCrc32(first: number, second: number, bytes: number): number {
  return (multiply(shiftBy(bytes), first) ^ second) >>> 0
}
