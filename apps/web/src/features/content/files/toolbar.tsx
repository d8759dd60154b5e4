import { ChevronDown, EllipsisVertical, Search, X } from 'lucide-react'
import type { BoundAction } from '../../../lib/actions.tsx'
import { formatSize } from '../../../lib/formats.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { ROOMY, useMedia } from '../../../lib/use-media.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { MenuButton, MenuEntries } from '../../../ui/menu.tsx'
import { ACTION_ICONS, SELECTION_ACTIONS } from './file-actions.tsx'
import styles from './toolbar.module.css'

export interface ToolbarProps {
  readonly actions: readonly BoundAction[]
  readonly count: number
  readonly bytes: number
  readonly total: number
  readonly loaded: number
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

function offered(actions: readonly BoundAction[], id: string): BoundAction | undefined {
  return actions.find((action) => action.id === id && action.isOffered)
}

function FolderBar({ actions, total, loaded }: ToolbarProps) {
  const texts = useTexts()
  const upload = offered(actions, 'upload-files')
  const folder = offered(actions, 'upload-folder')
  const create = offered(actions, 'new-folder')
  const find = offered(actions, 'find')
  return (
    <>
      {upload !== undefined && folder !== undefined && (
        <div className={styles['split']}>
          <Button kind="solid" onClick={upload.run} data-action="upload-files">
            {ACTION_ICONS['upload-files']}
            {texts('action.upload')}
          </Button>
          <MenuButton
            trigger={
              <IconButton
                kind="solid"
                label={texts('common.more')}
                icon={<ChevronDown size={18} aria-hidden="true" />}
              />
            }
          >
            <MenuEntries
              entries={[upload, folder].map(({ id, label, run }) => ({
                id,
                label: texts(label),
                icon: ACTION_ICONS[id],
                run,
              }))}
            />
          </MenuButton>
        </div>
      )}
      {create !== undefined && (
        <Button onClick={create.run} data-action="new-folder">
          {ACTION_ICONS['new-folder']}
          {texts(create.label)}
        </Button>
      )}
      <div className={styles['space']} />
      <span className={styles['note']} data-testid="count">
        {loaded < total
          ? texts('files.loading-rest', { loaded: grouped(loaded, texts.locale), total: grouped(total, texts.locale) })
          : texts('files.count', { count: total })}
      </span>
      {find !== undefined && (
        <IconButton label={texts(find.label)} icon={<Search size={18} aria-hidden="true" />} onClick={find.run} />
      )}
    </>
  )
}

function grouped(value: number, locale: string): string {
  return value.toLocaleString(locale)
}

/** On a phone these stand in the bar, the others behind the dots: nothing hides beyond the edge. */
const PHONE_ACTIONS: readonly string[] = ['download', 'move', 'remove']

function SelectionBar({ actions, count, bytes }: ToolbarProps) {
  const texts = useTexts()
  const isRoomy = useMedia(ROOMY)
  const clear = offered(actions, 'clear')
  const all = SELECTION_ACTIONS.filter((id) => id !== 'open').flatMap((id) => offered(actions, id) ?? [])
  const inBar = isRoomy ? all : all.filter(({ id }) => PHONE_ACTIONS.includes(id))
  const behind = all.filter((action) => !inBar.includes(action))
  return (
    <>
      <span className={styles['count']}>
        <IconButton
          label={texts('files.clear-selection')}
          icon={<X size={18} aria-hidden="true" />}
          onClick={clear?.run}
        />
        <span data-testid="selected">{texts('files.selected', { count })}</span>
        {isRoomy && bytes > 0 && <span className={styles['weight']}>{`· ${formatSize(bytes, texts.locale)}`}</span>}
      </span>
      <div className={styles['space']} />
      {inBar.map(({ id, label, run }) => (
        <Button
          key={id}
          kind={id === 'download' ? 'solid' : id === 'remove' ? 'danger' : 'outline'}
          className={styles['labelled']}
          onClick={run}
          data-action={id}
        >
          {ACTION_ICONS[id]}
          {texts(label)}
        </Button>
      ))}
      {behind.length > 0 && (
        <MenuButton
          align="end"
          trigger={<IconButton label={texts('common.more')} icon={<EllipsisVertical size={20} aria-hidden="true" />} />}
        >
          <MenuEntries
            entries={behind.map(({ id, label, run }) => ({ id, label: texts(label), icon: ACTION_ICONS[id], run }))}
          />
        </MenuButton>
      )}
    </>
  )
}
