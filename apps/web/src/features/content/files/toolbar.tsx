import { type BoundAction, offeredActions } from '../../../lib/actions.tsx'
import { lazyModule, lazyPart, usePrefetch } from '../../../lib/lazy.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { ActionButton, ActionIcon } from '../../../ui/action-button.tsx'
import { KindredActions, MoreActions, SplitButton } from './toolbar-parts.tsx'
import styles from './toolbar.module.css'
import { namesByWay, type TransferWays } from './use-transfer-ways.ts'

const selecting = lazyModule(() => import('./selection-bar.tsx'))
const SelectionBar = lazyPart(selecting, (module) => module.SelectionBar)

export interface ToolbarProps {
  readonly actions: readonly BoundAction[]
  readonly ways: TransferWays
  readonly count: number
  readonly bytes: number
  /** Rows of the folder, and how many of them are here; left out while nothing is known of it. */
  readonly rows: { readonly total: number; readonly loaded: number } | undefined
  /** There is room for more than a phone has. */
  readonly isRoomy: boolean
}

/** One bar of fixed height: what one can do here, or, while something is selected, with the selection. */
export function Toolbar(props: ToolbarProps) {
  usePrefetch(selecting)
  return (
    <div
      className={styles['toolbar']}
      role="toolbar"
      aria-label={useTexts()('files.column.actions')}
      data-testid="toolbar"
    >
      {props.count > 0 ? <SelectionBar {...props} /> : <FolderBar {...props} />}
    </div>
  )
}

function FolderBar({ actions, ways, rows, isRoomy }: ToolbarProps) {
  const texts = useTexts()
  const uploads = offeredActions(actions, [...namesByWay('upload', ways), 'take-photo'])
  const [upload, ...otherUploads] = uploads
  const [create] = offeredActions(actions, ['new-folder'])
  const [find] = offeredActions(actions, ['find'])
  const bin = offeredActions(actions, ['recycle-bin'])
  const tree = offeredActions(actions, ['tree'])
  const details = offeredActions(actions, ['tiles', 'list', 'details'])
  const syncs = offeredActions(actions, ['sync', 'sync-down'])
  const others = offeredActions(actions, ['invite', 'paste'])
  return (
    <>
      {upload !== undefined && !isRoomy && <ActionButton action={upload} label={texts('action.upload')} />}
      {isRoomy && <SplitButton actions={uploads} label={texts('action.upload')} />}
      {create !== undefined && <ActionButton action={create} />}
      {isRoomy && others.map((action) => <ActionButton key={action.name} action={action} />)}
      {isRoomy && <KindredActions actions={syncs} label={texts('action.sync-any')} />}
      {!isRoomy && <MoreActions actions={[...otherUploads, ...others, ...syncs, ...bin, ...details]} />}
      <div className={styles['space']} />
      {rows !== undefined && <RowCount {...rows} />}
      {isRoomy && bin.map((action) => <ActionIcon key={action.name} action={action} />)}
      {find !== undefined && <ActionIcon action={find} />}
      {[...tree, ...(isRoomy ? details : [])].map((action) => (
        <ActionIcon key={action.name} action={action} />
      ))}
    </>
  )
}

function RowCount({ total, loaded }: NonNullable<ToolbarProps['rows']>) {
  const texts = useTexts()
  return (
    <span className={styles['note']} data-testid="count">
      {loaded < total
        ? texts('files.loading-rest', { loaded: grouped(loaded, texts.locale), total: grouped(total, texts.locale) })
        : texts('files.count', { count: total })}
    </span>
  )
}

function grouped(value: number, locale: string): string {
  return value.toLocaleString(locale)
}
