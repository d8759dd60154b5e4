import { useState } from 'react'
import { formatSize, formatTime, formatTimeExactly } from '../../../lib/formats.ts'
import { nameOf } from '../../../lib/paths.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import styles from './conflict.module.css'
import type { Conflict, ConflictChoice, Question, Side } from './use-conflicts.ts'

const CHOICES: readonly ConflictChoice[] = ['skip', 'keep-both', 'replace']

export interface ConflictDialogProps extends Question {
  readonly onClose: () => void
}

/** Asks for each taken name, or for all that are left at once, with the sizes and dates of both sides. */
export function ConflictDialog({ conflicts, answer, onClose }: ConflictDialogProps) {
  const texts = useTexts()
  const [chosen, setChosen] = useState<ReadonlyMap<string, ConflictChoice>>(new Map())
  const [forAll, setForAll] = useState(false)
  const at = chosen.size
  const conflict = conflicts[at]
  if (conflict === undefined) return null
  const left = conflicts.slice(at)
  const choose = (choice: ConflictChoice): void => {
    const decided = forAll ? left : [conflict]
    const next = new Map([...chosen, ...decided.map(({ path }) => [path, choice] as const)])
    if (next.size === conflicts.length) answer({ byPath: next, ...(forAll ? { standing: choice } : {}) })
    else setChosen(next)
  }
  return (
    <Dialog
      title={texts('conflict.title', { count: conflicts.length, name: nameOf(conflict.path) })}
      closeLabel={texts('common.cancel')}
      onClose={onClose}
      foot={CHOICES.map((choice) => (
        <Button key={choice} kind={choice === 'replace' ? 'danger' : 'outline'} onClick={() => choose(choice)}>
          {texts(`conflict.${choice}`)}
        </Button>
      ))}
    >
      {conflicts.length > 1 && (
        <p className={styles['progress']}>{texts('conflict.progress', { at: at + 1, count: conflicts.length })}</p>
      )}
      <p className={styles['name']}>{texts('conflict.text', { name: conflict.path })}</p>
      <Sides conflict={conflict} />
      {left.length > 1 && (
        <label className={styles['all']}>
          <input type="checkbox" checked={forAll} onChange={(event) => setForAll(event.target.checked)} />
          {texts('conflict.all', { count: left.length })}
        </label>
      )}
    </Dialog>
  )
}

function Sides({ conflict: { existing, incoming } }: { readonly conflict: Conflict }) {
  const texts = useTexts()
  const side = (label: string, { size, time }: Side, isNewer: boolean) => (
    <section className={classNames(styles['side'], isNewer && styles['newer'])}>
      <h3>{label}</h3>
      <p>{size === undefined ? texts('files.folder') : formatSize(size, texts.locale, 2)}</p>
      <p title={formatTimeExactly(time, texts.locale)}>{formatTime(time)}</p>
    </section>
  )
  return (
    <div className={styles['sides']}>
      {side(texts('conflict.existing'), existing, existing.time > incoming.time)}
      {side(texts('conflict.incoming'), incoming, incoming.time > existing.time)}
    </div>
  )
}
