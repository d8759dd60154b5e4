const GB = 1024 ** 3
const MB = 1024 ** 2
/** Decimals of a gigabyte that a form keeps; a whole megabyte survives the way there and back. */
const DECIMALS = 6

/** Up to ten petabytes in gigabytes, more than nothing. */
export function isGigabytes(text: string): boolean {
  return /^\d{1,7}(\.\d{1,6})?$/.test(text.trim()) && Number(text) > 0
}

/** @returns bytes of whole megabytes, at least one */
export function bytesOfGigabytes(text: string): number {
  return Math.max(MB, Math.round((Number(text) * GB) / MB) * MB)
}

/** What a form shows for this many bytes. */
export function gigabytesOf(bytes: number): string {
  return String(Number((bytes / GB).toFixed(DECIMALS)))
}
