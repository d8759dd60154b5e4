import { ChevronDown, EllipsisVertical } from 'lucide-react'
import { type BoundAction, offeredActions } from '../../../lib/actions.tsx'
import { formatSize } from '../../../lib/formats.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { ActionButton, actionEntries, ActionIcon } from '../../../ui/action-button.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { Hidden } from '../../../ui/hidden.tsx'
import { MenuButton, MenuEntries } from '../../../ui/menu.tsx'
import { SELECTION_ACTIONS } from './shown-actions.ts'
import styles from './toolbar.module.css'
import { namesByWay, type TransferWays } from './use-transfer-ways.ts'

export interface ToolbarProps {
  readonly actions: readonly BoundAction[]
  readonly ways: TransferWays
  readonly count: number
  readonly bytes: number
  readonly total: number
  readonly loaded: number
  /** Something stands beside the list and takes its room. */
  readonly isTight: boolean
  /** There is room for more than a phone has. */
  readonly isRoomy: boolean
}

/** One bar of fixed height: what one can do here, or, while something is selected, with the selection. */
export function Toolbar(props: ToolbarProps) {
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

function FolderBar({ actions, ways, total, loaded, isRoomy }: ToolbarProps) {
  const texts = useTexts()
  const uploads = offeredActions(actions, [...namesByWay('upload', ways), 'take-photo'])
  const [upload, ...otherUploads] = uploads
  const [create] = offeredActions(actions, ['new-folder'])
  const [find] = offeredActions(actions, ['find'])
  const bin = offeredActions(actions, ['recycle-bin'])
  const tree = offeredActions(actions, ['tree'])
  const details = offeredActions(actions, ['tiles', 'list', 'details'])
  const others = offeredActions(actions, ['invite', 'paste'])
  return (
    <>
      {upload !== undefined && !isRoomy && <ActionButton action={upload} label={texts('action.upload')} />}
      {isRoomy && <SplitButton actions={uploads} label={texts('action.upload')} />}
      {create !== undefined && <ActionButton action={create} />}
      {isRoomy && others.map((action) => <ActionButton key={action.name} action={action} />)}
      {!isRoomy && <MoreActions actions={[...otherUploads, ...others, ...bin, ...details]} />}
      <div className={styles['space']} />
      <span className={styles['note']} data-testid="count">
        {loaded < total
          ? texts('files.loading-rest', { loaded: grouped(loaded, texts.locale), total: grouped(total, texts.locale) })
          : texts('files.count', { count: total })}
      </span>
      {isRoomy && bin.map((action) => <ActionIcon key={action.name} action={action} />)}
      {find !== undefined && <ActionIcon action={find} />}
      {[...tree, ...(isRoomy ? details : [])].map((action) => (
        <ActionIcon key={action.name} action={action} />
      ))}
    </>
  )
}

interface SplitButtonProps {
  readonly actions: readonly BoundAction[]
  readonly label: string
  readonly className?: string | undefined
}

/** The first action as a button, and a menu beside it when there are more. */
function SplitButton({ actions, label, className }: SplitButtonProps) {
  const texts = useTexts()
  const [first] = actions
  if (first === undefined) return null
  const button = <ActionButton action={first} label={label} {...(className !== undefined && { className })} />
  if (actions.length === 1) return button
  return (
    <div className={styles['split']}>
      {button}
      <MenuButton
        trigger={
          <IconButton kind="solid" label={texts('common.more')} icon={<ChevronDown size={18} aria-hidden="true" />} />
        }
      >
        <MenuEntries entries={actionEntries(actions, texts)} />
      </MenuButton>
    </div>
  )
}

function grouped(value: number, locale: string): string {
  return value.toLocaleString(locale)
}

/** Where there is little room these stand in the bar, the others behind the dots: nothing hides beyond the edge. */
const PHONE_ACTIONS: readonly string[] = ['move', 'remove']

function SelectionBar({ actions, ways, count, bytes, isTight, isRoomy }: ToolbarProps) {
  const texts = useTexts()
  const [clear] = offeredActions(actions, ['clear'])
  const details = offeredActions(actions, ['tiles', 'list', 'favorite', 'unfavorite', 'details'])
  const all = offeredActions(
    actions,
    SELECTION_ACTIONS.filter((name) => name !== 'open'),
  )
  const downloads = offeredActions(actions, namesByWay('download', ways))
  const others = all.filter((action) => !downloads.includes(action))
  const inBar = isRoomy && !isTight ? others : others.filter(({ name }) => PHONE_ACTIONS.includes(name))
  const behind = [
    ...(isRoomy ? [] : downloads.slice(1)),
    ...others.filter((action) => !inBar.includes(action)),
    ...(isRoomy ? [] : details.filter(({ name }) => !name.endsWith('favorite'))),
  ]
  return (
    <>
      <span className={styles['count']}>
        {clear !== undefined && <ActionIcon action={clear} label={texts('files.clear-selection')} />}
        <span data-testid="selected">
          {isRoomy ? (
            texts('files.selected', { count })
          ) : (
            <>
              <span aria-hidden="true">{count.toLocaleString(texts.locale)}</span>
              <Hidden>{texts('files.selected', { count })}</Hidden>
            </>
          )}
        </span>
        {isRoomy && bytes > 0 && <span className={styles['weight']}>{`· ${formatSize(bytes, texts.locale)}`}</span>}
      </span>
      <div className={styles['space']} />
      <SplitButton
        actions={isRoomy ? downloads : downloads.slice(0, 1)}
        label={texts('action.download')}
        className={styles['labelled']}
      />
      {inBar.map((action) => (
        <ActionButton key={action.name} action={action} className={styles['labelled']} />
      ))}
      <MoreActions actions={behind} />
      {isRoomy && details.map((action) => <ActionIcon key={action.name} action={action} />)}
    </>
  )
}

/** What there is no room for. */
function MoreActions({ actions }: Pick<ToolbarProps, 'actions'>) {
  const texts = useTexts()
  if (actions.length === 0) return null
  return (
    <MenuButton
      align="end"
      trigger={<IconButton label={texts('common.more')} icon={<EllipsisVertical size={20} aria-hidden="true" />} />}
    >
      <MenuEntries entries={actionEntries(actions, texts)} />
    </MenuButton>
  )
}
