/** What a picture may cost. The decoder's process and the server read the same numbers; nothing is imported here. */

/** Pixels of a picture that is decoded at all: 4 bytes each, and some formats are held whole. A camera of 2026 makes 100 million. */
export const MAX_PIXELS = 100_000_000
/** HEIC is decoded by WebAssembly, which holds the picture three times. */
export const MAX_HEIC_PIXELS = 64_000_000
/** Bytes of a file that is read to be decoded. A raw file of 100 million pixels has about 200 MB. */
export const MAX_INPUT_BYTES = 256 * 1024 * 1024
/** Bytes of a document whose pages are drawn: WebAssembly holds all of it. */
export const MAX_DOCUMENT_BYTES = 100 * 1024 * 1024
/** Of WebP. A small picture needs less detail than one that fills a screen. */
export const QUALITY = { small: 76, large: 84 } as const
/** Of JPEG that stays JPEG. */
export const REDRAWN_QUALITY = 90
/** Bytes of a decoded picture as it comes back: 2048 pixels square in WebP have at most a tenth of it. */
export const MAX_OUTPUT_BYTES = 16 * 1024 * 1024
/** Private memory that the process may take for pictures, where the system can bound it, and the machine has twice as much. */
export const MAX_WORK_BYTES = 832 * 1024 * 1024
/** What the system counts of Node itself before it does anything: V8 reserves most of it and uses little. Measured: 665 MiB. */
export const RESERVED_BYTES = 704 * 1024 * 1024

/** Longest edges that pictures are made in. */
export type Edge = 256 | 1024 | 2048
