/** A server under measurement. Figures of several are only comparable within one run of the bench. */
export interface Rival extends AsyncDisposable {
  readonly name: string
  readonly pid: number
  /** Folder on disk whose content the server shows. */
  readonly folder: string
  /** Stores one file of `size` bytes. Absent: the subject cannot take uploads. */
  readonly upload?: (name: string, size: number) => Promise<void>
  /** Stores many files of `size` bytes the fastest way the subject offers. */
  readonly uploadMany?: (folder: string, count: number, size: number) => Promise<void>
  /** Address and headers that download a file of `folder`. */
  readonly download: (
    name: string,
  ) => Promise<{ readonly url: string; readonly headers: Readonly<Record<string, string>> }>
  /** Makes the subject look at its disk anew, which another program has changed. Absent: it always does. */
  readonly forget?: () => Promise<void>
  /** Lists a folder whole. */
  readonly list?: (
    name: string,
  ) => Promise<{ readonly firstMs: number; readonly wholeMs: number; readonly entries: number }>
}
