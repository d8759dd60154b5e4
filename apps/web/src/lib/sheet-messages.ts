/** Rows of one sheet as they are shown. */
export interface SheetRows {
  readonly name: string
  readonly rows: ReadonlyArray<readonly string[]>
}

export type SheetReply =
  | { readonly kind: 'sheets'; readonly sheets: readonly SheetRows[] }
  | { readonly kind: 'failed'; readonly reason: string }
