import { type BoundAction, offeredActions } from '../../../lib/actions.tsx'
import { formatSize } from '../../../lib/formats.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { ActionButton, ActionIcon } from '../../../ui/action-button.tsx'
import { Hidden } from '../../../ui/hidden.tsx'
import { SELECTION_ACTIONS } from './shown-actions.ts'
import { MoreActions, SplitButton } from './toolbar-parts.tsx'
import styles from './toolbar.module.css'
import type { ToolbarProps } from './toolbar.tsx'
import { useFitting } from './use-fitting.ts'
import { namesByWay } from './use-transfer-ways.ts'

/** On a phone these stand in the bar, the others behind the dots. */
const PHONE_ACTIONS: readonly string[] = ['move', 'remove', 'find']

/** What goes behind the dots first where there is no room for all: nothing hides beyond the edge. */
const LESS_WANTED: readonly string[] = [
  'sync-down',
  'sync',
  'attributes',
  'invite',
  'client-download',
  'batch-rename',
  'share',
  'rename',
  'copy',
]

/** What one can do with what is selected. */
export function SelectionBar({ actions, ways, count, bytes, isRoomy }: ToolbarProps) {
  const texts = useTexts()
  const [clear] = offeredActions(actions, ['clear'])
  const [find] = offeredActions(actions, ['find'])
  const details = offeredActions(actions, ['tiles', 'list', 'favorite', 'unfavorite', 'details'])
  const all = offeredActions(
    actions,
    SELECTION_ACTIONS.filter((name) => name !== 'open'),
  )
  const downloads = offeredActions(actions, namesByWay('download', ways))
  const others = all.filter((action) => !downloads.includes(action))
  const title = texts('files.selected', { count })
  const weight = isRoomy && bytes > 0 ? `· ${formatSize(bytes, texts.locale)}` : ''
  const wanted = [...others, ...(find === undefined ? [] : [find])].filter(
    ({ name }) => isRoomy || PHONE_ACTIONS.includes(name),
  )
  const { ref, isBehind } = useFitting(
    orderOfLeaving(wanted, isRoomy),
    `${texts.locale} ${title.length} ${weight.length}`,
  )
  const inBar = wanted.filter((action) => !isBehind(action.name))
  const behind = [
    ...(isRoomy ? [] : downloads.slice(1)),
    ...others.filter((action) => !inBar.includes(action)),
    ...(find === undefined || inBar.includes(find) ? [] : [find]),
    ...(isRoomy ? [] : details.filter(({ name }) => !name.endsWith('favorite'))),
  ]
  return (
    <div className={styles['selection']} ref={ref}>
      <span className={styles['count']}>
        {clear !== undefined && <ActionIcon action={clear} label={texts('files.clear-selection')} />}
        <span data-testid="selected">
          {isRoomy ? (
            title
          ) : (
            <>
              <span aria-hidden="true">{count.toLocaleString(texts.locale)}</span>
              <Hidden>{title}</Hidden>
            </>
          )}
        </span>
        {weight !== '' && <span className={styles['weight']}>{weight}</span>}
      </span>
      <div className={styles['space']} />
      <SplitButton
        actions={isRoomy ? downloads : downloads.slice(0, 1)}
        label={texts('action.download')}
        className={styles['labelled']}
      />
      {inBar
        .filter((action) => action !== find)
        .map((action) => (
          <ActionButton key={action.name} action={action} className={styles['labelled']} />
        ))}
      <MoreActions actions={behind} />
      {find !== undefined && inBar.includes(find) && <ActionIcon action={find} />}
      {isRoomy && details.map((action) => <ActionIcon key={action.name} action={action} />)}
    </div>
  )
}

/** Names of what may go behind the dots, the first to go first. */
function orderOfLeaving(actions: readonly BoundAction[], isRoomy: boolean): readonly string[] {
  const order = isRoomy ? LESS_WANTED : ['find', 'move']
  return order.filter((name) => actions.some((action) => action.name === name))
}
