declare const unit: unique symbol
type Unit<Name extends string> = number & { readonly [unit]: Name }

/** A count of bytes: a whole number, 0 or more, at most 2^53 - 1. */
export type Bytes = Unit<'bytes'>
/** A span or an instant in milliseconds. Instants are Unix time (wall clock) unless a name says otherwise. */
export type Millis = Unit<'millis'>
/** Unix time in whole seconds, the form of most time fields on the wire. */
export type Seconds = Unit<'seconds'>

export const KiB = 1024
export const MiB = 1024 * KiB
export const GiB = 1024 * MiB

/** @throws RangeError when the value is not a whole number of bytes that a double can hold exactly */
export function bytes(value: number): Bytes {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not a byte count: ${value}`)
  return value as Bytes
}

export function millis(value: number): Millis {
  if (!Number.isFinite(value)) throw new RangeError(`not a time in milliseconds: ${value}`)
  return value as Millis
}

export function toSeconds(time: Millis): Seconds {
  return Math.floor(time / 1000) as Seconds
}
