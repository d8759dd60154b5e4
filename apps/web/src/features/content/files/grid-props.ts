import type { RefObject } from 'react'
import type { Windowing } from '../../../lib/use-windowing.ts'
import type { FolderView, Order, OrderBy } from './folder-query.ts'
import type { Listing } from './listing.ts'
import type { NameDraft } from './rename-field.tsx'
import type { Selection } from './selection.ts'

const ROW_HEIGHT = 49
const PHONE_ROW_HEIGHT = 61
export const HEAD_HEIGHT = 40
/** Of a row of the list; tiles keep their place in the folder in these pixels, too. */
export function listRowHeight(isRoomy: boolean): number {
  return isRoomy ? ROW_HEIGHT : PHONE_ROW_HEIGHT
}

/** Rows drawn beyond either edge of what is visible. */
export const OVERSCAN = 2

export interface FileGridProps {
  readonly view: FolderView
  readonly folderName: string
  readonly listing: Listing
  readonly selection: Selection
  readonly onSelect: (selection: Selection) => void
  readonly isRoomy: boolean
  readonly initialTop: number
  /** Called when the list has been drawn for the first time. */
  readonly onDrawn: () => void
  /** Whether the list begins with the focused entry in sight. */
  readonly isFocusSeen: boolean
  /** Names that are cut and wait to be pasted. */
  readonly cut: ReadonlySet<string>
  /** Names that are marked as favorites. */
  readonly favorites: ReadonlySet<string>
  /** The entry whose name is edited, and what is typed so far. */
  readonly renaming: { readonly row: number; readonly draft: NameDraft } | undefined
  readonly onRename: (row: number, name: string) => void
  readonly onRenameEnd: () => void
  readonly onOpen: (row: number) => void
  /** A menu is open, or on its way: the keys are its own. */
  readonly isMenuOpen: boolean
  readonly onMenu: (row: number, at: { readonly x: number; readonly y: number }) => void
  readonly onSort: (orderBy: OrderBy, order: Order) => void
  readonly onMove: ((rows: readonly number[], target: number) => void) | undefined
  readonly hrefOf: (name: string) => string
  readonly gridRef: RefObject<HTMLDivElement | null>
  readonly windowingRef: RefObject<Windowing | undefined>
}
