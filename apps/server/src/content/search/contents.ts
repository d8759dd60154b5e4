import type { SearchSnippet } from '@godwit/contract'

/** A document that has what is looked for. */
export interface ContentMatch {
  /** Number of its entry. */
  readonly n: number
  /** Of the content that was read; the entry may have another by now. */
  readonly size: number
  readonly modifiedMs: number
  /** Where the search stands once it is dealt with. */
  readonly at: number
  /** Made for those who may see it. */
  readonly snippet: () => SearchSnippet
}

/** Some documents, and where to go on behind them: positions fall to 0. */
export interface ContentStep {
  readonly matches: readonly ContentMatch[]
  readonly before: number
}

/** Finds documents by their words. It knows entries by their numbers, and nothing of who may see them. */
export interface Contents {
  isOn(): Promise<boolean>
  /** Where a search of a place begins; 0 where nothing was read. */
  startOf(rootId: number): Promise<number>
  look(wanted: { readonly rootId: number; readonly text: string; readonly before: number }): AsyncIterable<ContentStep>
  /** Documents that are not read yet; undefined while they are being counted. */
  unread(rootIds: readonly number[]): Promise<number | undefined>
}
