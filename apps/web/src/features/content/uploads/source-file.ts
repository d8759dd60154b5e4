/** What leaves in place of a file's own bytes, made while they leave: the same ones each time. */
export interface Sent {
  /** Bytes. */
  readonly size: number
  /** The bytes `[start, end)`. Rejects when the file cannot be read any more. */
  read(start: number, end: number): Promise<Blob>
}

/** A file to upload and where it goes below the target folder; `relativePath` ends with its own name. */
export interface SourceFile {
  readonly file: File
  readonly relativePath: string
  /** Left out: the bytes of the file, under its own name. */
  readonly sent?: Sent
  /** What the page calls it; left out: its `relativePath`. */
  readonly shownAs?: string
  /** Excluded by the account's rules: counts as uploaded with size 0 and is not sent. */
  readonly isIgnored?: boolean
}

/** The bytes `[start, end)` of what leaves for a file. */
export function sentBytes({ file, sent }: SourceFile, start: number, end: number): Blob | Promise<Blob> {
  return sent === undefined ? file.slice(start, end) : sent.read(start, end)
}
