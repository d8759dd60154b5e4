import type { LocalClientAction, LocalConflictFolder, LocalConflicts, LocalItemView, LocalSide } from '@godwit/contract'
import { LOCAL_CHOICES } from '@godwit/contract/exchange/local-client-states'
import { formatMinute, formatSize } from '../../../lib/formats.ts'
import { nameOf } from '../../../lib/paths.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import styles from './local.module.css'
import type { Act } from './use-local-client.ts'

type Scope = Pick<Extract<LocalClientAction, { readonly action: 'decide' }>, 'folder' | 'path'>

interface ConflictsProps {
  readonly item: LocalItemView
  readonly act: Act
}

/** Files that are at the target already: one answer for all, for a folder, or for a file. */
export function ItemConflicts({ item, act }: ConflictsProps) {
  const { conflicts } = item
  return conflicts === null ? null : <Asked id={item.id} conflicts={conflicts} act={act} />
}

interface AskedProps {
  readonly id: number
  readonly conflicts: LocalConflicts
  readonly act: Act
}

function Asked({ id, conflicts: { count, folders }, act }: AskedProps) {
  const texts = useTexts()
  const all = texts('local.conflicts.all', { count })
  return (
    <div className={styles['conflicts']}>
      <p>{texts('local.conflicts', { count })}</p>
      <div className={styles['conflictLine']}>
        <strong>{all}</strong>
        <Choices id={id} scope={{}} name={all} act={act} />
      </div>
      {folders.map((folder) => (
        <Folder key={folder.folder} id={id} folder={folder} isOnly={folders.length === 1} act={act} />
      ))}
    </div>
  )
}

interface FolderProps {
  readonly id: number
  readonly folder: LocalConflictFolder
  readonly isOnly: boolean
  readonly act: Act
}

function Folder({ id, folder: { folder, count, files }, isOnly, act }: FolderProps) {
  const texts = useTexts()
  const name = folder === '' ? texts('local.conflicts.top') : folder
  const left = count - files.length
  return (
    <div className={styles['conflictFolder']}>
      {!isOnly && (
        <div className={styles['conflictLine']}>
          <span className={styles['pair']}>
            <span translate="no">{name}</span>
            <small>{texts('local.conflicts.count', { count })}</small>
          </span>
          <Choices id={id} scope={{ folder }} name={name} act={act} />
        </div>
      )}
      {files.length > 0 && (
        <details>
          <summary>{texts('local.conflicts.show', { name })}</summary>
          <ul className={styles['plain']}>
            {files.map(({ path, existing, incoming }) => (
              <li key={path} className={styles['conflictLine']}>
                <span className={styles['pair']}>
                  <span translate="no">{nameOf(path)}</span>
                  <Side kind="existing" side={existing} isNewer={existing.time > incoming.time} />
                  <Side kind="incoming" side={incoming} isNewer={incoming.time > existing.time} />
                </span>
                <Choices id={id} scope={{ path }} name={nameOf(path)} act={act} />
              </li>
            ))}
          </ul>
          {left > 0 && <p className={styles['note']}>{texts('local.conflicts.more', { count: left })}</p>}
        </details>
      )}
    </div>
  )
}

interface SideProps {
  readonly kind: 'existing' | 'incoming'
  readonly side: LocalSide
  readonly isNewer: boolean
}

function Side({ kind, side, isNewer }: SideProps) {
  const texts = useTexts()
  const size = formatSize(side.size, texts.locale)
  return (
    <small className={classNames(styles['side'], isNewer && styles['newer'])}>
      {texts(`local.conflicts.${kind}`, { size, time: formatMinute(side.time) })}
    </small>
  )
}

interface ChoicesProps {
  readonly id: number
  readonly scope: Scope
  readonly name: string
  readonly act: Act
}

function Choices({ id, scope, name, act }: ChoicesProps) {
  const texts = useTexts()
  return (
    <span className={styles['choices']}>
      {LOCAL_CHOICES.map((choice) => {
        const label = texts(`local.choice.${choice}`)
        return (
          <Button
            key={choice}
            kind={choice === 'replace' ? 'danger' : 'outline'}
            aria-label={texts('local.choice.for', { choice: label, name })}
            onClick={() => void act({ action: 'decide', id, choice, ...scope })}
          >
            {label}
          </Button>
        )
      })}
    </span>
  )
}
